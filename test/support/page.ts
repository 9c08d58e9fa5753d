import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { pageFile } from '../../scripts/page-file.js';
import { addressOf, type PageQuestion } from '../../src/answer/page-address.js';
import { openPage, startBrowser } from './browser.js';
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
});

afterAll(async () => {
  await browser?.close();
});

/** Opens the page with a question. */
export async function open(typed: PageQuestion = {}, options: BrowserContextOptions = {}): Promise<Page> {
  return await openPage(browser, `${address}${addressOf(typed)}`, options);
}

/** The longest span of the index. */
export const longest = { from: '0.1893.0', to: '2.134.2' };
