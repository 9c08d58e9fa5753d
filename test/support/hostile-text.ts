/** What text from outside may hold to break out of where it is shown. */
export const hostileText = [
  '<script>alert(1)</script></title>',
  '[look](javascript:alert(1)) ![x](https://evil.example/x.png) https://evil.example www.evil.example',
  '\u001B[31mred\u001B[0m \u0007 \u202Egnp.exe',
  '\n::set-output name=safe::true\r\n::error::x\n  ::add-mask::x ##[set-output name=safe]true',
  ']]> & " \' <!-- --> @everyone #1 | cell `code`',
  'lightspan-0\nsafe=true\n',
  '\uD800 \uFFFE \u0000',
].join(' ');
