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

/** A value in which one text is followed by what a terminal would obey, for each text that is no version and no word of ours. */
export function* hostileForms(value: unknown): Generator<unknown> {
  if (typeof value === 'string') {
    if (!/^(?:\d+\.\d+\.\d+|none|maybe|hidden|removed|renamed|defaultChanged)$/.test(value))
      yield `${value}\u001B[2J\u202E\n`;
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      if (ours.has(key)) continue;
      for (const other of hostileForms(item)) {
        yield Array.isArray(value) ? value.with(Number(key), other) : { ...value, [key]: other };
      }
    }
  }
}
const ours = new Set(['kind', 'missing', 'why', 'fact', 'setBy', 'limit']);
