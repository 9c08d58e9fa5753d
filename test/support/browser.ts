import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { testNow } from './cli.js';
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

/** Opens a page from a disk, and fails the test for whatever it complains of or asks for. */
export async function openPage(
  browser: Browser,
  address: string,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  await page.clock.setFixedTime(testNow);
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('dialog', (dialog) => complaints.push(dialog.message()));
  page.on('request', (request) => {
    if (request.url().split('#')[0] !== address.split('#')[0]) complaints.push(request.url());
  });
  onTestFinished(async () => {
    await context.close();
    expect(complaints).toEqual([]);
  });
  await page.goto(address);
  return page;
}

export async function unfold(page: Page): Promise<void> {
  await page.evaluate('document.querySelectorAll("details").forEach((fold) => { fold.open = true; })');
}

/** What axe has against all of a page, which was opened with `bypassCSP`: its policy forbids what axe puts into it. */
export async function violationsOf(page: Page): Promise<unknown> {
  await unfold(page);
  const content = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  await page.addScriptTag({ content });
  return await page.evaluate(
    'axe.run({ resultTypes: ["violations"] }).then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].html.slice(0, 200)]))',
  );
}
