import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { pageFile } from '../../scripts/page-file.js';
import { type Asked, addressOf } from '../../src/words/page-address.js';
import { startBrowser } from './browser.js';
import { testNow } from './cli.js';
import { realIndexText } from './real-index.js';
import { temporaryFolder } from './temporary-folder.js';

/** The page of the upgrade path in Chromium, from a disk, as a user has it. It is there once the tests run. */
export let browser: Browser;
export let address: string;
export let size: number;

beforeAll(async () => {
  browser = await startBrowser();
  const text = await pageFile(realIndexText);
  size = Buffer.byteLength(text);
  const file = join(temporaryFolder(), 'index.html');
  await writeFile(file, text);
  address = String(pathToFileURL(file));
}, 60_000);

afterAll(async () => {
  await browser?.close();
});

/** Opens the page with a question, and fails the test for whatever it complains of or asks for. */
export async function open(typed: Asked = {}, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  await page.clock.setFixedTime(testNow);
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('dialog', (dialog) => complaints.push(dialog.message()));
  page.on('request', (request) => {
    if (request.url().split('#')[0] !== address) complaints.push(request.url());
  });
  onTestFinished(async () => {
    await context.close();
    expect(complaints).toEqual([]);
  });
  await page.goto(`${address}${addressOf(typed)}`);
  return page;
}

/** The longest span of the index. */
export const longest = { from: '0.1893.0', to: '2.134.2' };
