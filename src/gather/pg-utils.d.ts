/** What pg itself escapes with, without the rest of it. Its types do not name this part. */
declare module 'pg/lib/utils.js' {
  const utils: { escapeIdentifier(name: string): string; escapeLiteral(text: string): string };
  export default utils;
}
