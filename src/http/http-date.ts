const day = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const month = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const time = '\\d{2}:\\d{2}:\\d{2}';
const dated = new RegExp(
  `^(?:${day}, \\d{2} ${month} \\d{4}|[A-Z][a-z]{2,5}day, \\d{2}-${month}-\\d{2}) ${time} GMT$`,
);
const asctime = new RegExp(`^${day} ${month} [ \\d]\\d ${time} \\d{4}$`);

/**
 * An HTTP date, in any of its three forms (RFC 9110, section 5.6.7), in milliseconds since 1970; undefined for any
 * other text. `Date.parse` is too lenient: it reads `3600` as a year.
 */
export function parseHttpDate(text: string): number | undefined {
  const utc = dated.test(text) ? text : asctime.test(text) ? `${text} GMT` : undefined;
  const date = utc === undefined ? Number.NaN : Date.parse(utc);
  return Number.isNaN(date) ? undefined : date;
}
