import { type Browser, chromium } from 'playwright-core';
import { findChromium } from './programs.js';

/**
 * Starts Chromium with nothing of a user's own.
 *
 * @throws where there is none: a page that was not looked at in a browser was not tested
 */
export async function startBrowser(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('Chromium is not installed: .ci/tools installs it');
  return chromium.launch({
    executablePath,
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
