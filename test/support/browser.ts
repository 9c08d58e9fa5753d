import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const executable =
  process.env.CHROMIUM ??
  ['/usr/bin/chromium', '/usr/bin/google-chrome'].find(existsSync) ??
  '/usr/bin/chromium';

/**
 * Starts Chromium with nothing of a user's own.
 *
 * @throws where there is none: a page that was not looked at in a browser was not tested
 */
export async function startBrowser(): Promise<Browser> {
  if (!existsSync(executable)) {
    throw new Error(
      `There is no ${executable}. On Debian: apt-get install -y --no-install-recommends chromium. Elsewhere name it with CHROMIUM=/path/to/chromium.`,
    );
  }
  return chromium.launch({
    executablePath: executable,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
