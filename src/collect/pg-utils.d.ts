/** What pg itself escapes with, without the rest of it. Its types do not name this part. */
declare module 'pg/lib/utils.js' {
  export function escapeIdentifier(name: string): string;
  export function escapeLiteral(text: string): string;
}
