import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { inventedHeavySections } from '../support/artifacts.js';
import { startBrowser } from '../support/browser.js';
import { runCli } from '../support/cli.js';
import { tableFact } from '../support/facts.js';
import {
  healthyFacts,
  idleLease,
  ranRelease,
  type Situation,
  seenAt,
  writeSituation,
} from '../support/preflight.js';
import { realIndex, realIndexFile } from '../support/real-index.js';
import { hostileSections, writeReportMirror } from '../support/report-mirror.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** In Chromium, as a reader sees it: the largest span there is, and one whose artifacts are hostile. */
let browser: Browser;
let folder: string;
const pages: Record<string, string> = {};

beforeAll(async () => {
  folder = temporaryFolder();
  browser = await startBrowser();
  await writeReportMirror(join(folder, 'real'));
  await writeReportMirror(join(folder, 'hostile'), hostileSections);
  await writeFile(join(folder, '.env'), 'OLD_NAME=1\n');
  const write = async (name: string, ...argv: string[]) => {
    const file = join(folder, `${name}.html`);
    const { code } = await runCli(['upgrade-report', ...argv, '--format', 'html', '--out', file]);
    expect(code).toBeLessThan(2);
    pages[name] = String(pathToFileURL(file));
  };
  const real = ['--index', join(folder, 'real'), '--variables', join(folder, '.env')];
  await write('largest', '--from', '0.1893.0', '--to', '2.134.2', ...real);
  await write('green', '--from', '1.121.0', '--to', '1.125.0', ...real);
  await write('hostile', '--from', '1.111.0', '--to', '1.160.0', '--index', join(folder, 'hostile'));
  await writeReportMirror(join(folder, 'breaks'), (version) =>
    isFalse(version) ? inventedHeavySections : {},
  );
  await write('no', '--from', '1.111.0', '--to', '2.134.2', '--index', join(folder, 'breaks'));
  await write(
    'unread',
    '--from',
    '1.111.0',
    '--to',
    '2.134.2',
    '--index',
    realIndexFile,
    '--offline',
    '--no-cache',
  );
  await write('below', '--from', '0.1050.0', '--to', '0.1894.0', '--index', join(folder, 'real'));
  const instance = join(folder, 'instance');
  await mkdir(instance);
  await writeSituation(instance, stoppedInstance);
  const facts = ['--index', instance, '--facts', join(instance, 'facts.json')];
  await write('stopped', '--from', '2.0.0', '--to', '2.2.0', ...facts);
}, 60_000);

/** A large table that is rewritten, a release that is false, and a migration that is parked for the target. */
const stoppedInstance: Situation = {
  releases: [
    ranRelease,
    {
      version: '2.1.0',
      migrations: [{ name: '20260901000000_rewrites_projects', tables: ['projects'], does: ['rewrites'] }],
      entry: { rollingUpdateSafe: false },
    },
    {
      version: '2.2.0',
      migrations: [{ name: '20260902000000_looks', tables: ['projects'], does: 'unknown' }],
      entry: { requiredStops: ['2.1.0'] },
    },
  ],
  facts: {
    ...healthyFacts('20260801000000_old'),
    tables: [tableFact({ name: 'projects', heapBytes: 4e9, toastBytes: 0, estimatedRows: 10_000_000 })],
    lease: [{ ...idleLease, parkedAt: seenAt, parkedAppVersion: '2.2.0', parkedMigration: 'a_migration' }],
  },
};

function isFalse(version: string): boolean {
  return realIndex().entries.some((entry) => entry.version === version && entry.rollingUpdateSafe === false);
}

afterAll(async () => {
  await browser?.close();
});

/** Opens a page, and fails the test for whatever the page complains of or asks for. */
async function open(name: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('dialog', (dialog) => complaints.push(dialog.message()));
  page.on('request', (request) => {
    if (request.url() !== pages[name]) complaints.push(request.url());
  });
  onTestFinished(async () => {
    await context.close();
    expect(complaints).toEqual([]);
  });
  await page.goto(pages[name] ?? '');
  return page;
}

const everywhere = (
  [
    ['largest', [390, 1280]],
    ['green', [390, 1280]],
    ['hostile', [390]],
    ['no', [390]],
    ['unread', [390]],
    ['below', [390]],
    ['stopped', [390, 1280]],
  ] as const
).flatMap(([name, widths]) =>
  (['light', 'dark'] as const).flatMap((colorScheme) =>
    widths.map((width) => ({ name, colorScheme, width })),
  ),
);

describe('a page', () => {
  it.each(everywhere)(
    '$name, $colorScheme, $width px: does not scroll sideways, and draws the span',
    async ({ name, colorScheme, width }) => {
      const page = await open(name, { colorScheme, viewport: { width, height: 844 } });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      expect(await page.locator('#timeline path:has(title)').count()).toBeGreaterThan(0);
      expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe(
        colorScheme === 'dark' ? 'rgb(13, 18, 28)' : 'rgb(245, 246, 248)',
      );
    },
  );

  it.each([
    ['green', 'light'],
    ['green', 'dark'],
    ['hostile', 'light'],
    ['hostile', 'dark'],
    ['stopped', 'light'],
    ['stopped', 'dark'],
  ] as const)('%s, %s: has nothing against it by axe, contrast included', async (name, colorScheme) => {
    // The policy of the page forbids what axe puts into it.
    const page = await open(name, { colorScheme, bypassCSP: true });
    await page.evaluate(
      'document.querySelectorAll("details").forEach((details) => { details.open = true; })',
    );
    await page.addScriptTag({
      content: await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'),
    });
    const violations = await page.evaluate(
      'axe.run({ resultTypes: ["violations"] }).then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].html]))',
    );
    expect(violations).toEqual([]);
  });

  it('begins with what stops an upgrade of the instance, and what to paste stands by itself', async () => {
    const page = await open('stopped');
    expect(await page.locator('.verdict.no').textContent()).toBe('UNSAFE');
    expect(await page.locator('.answers section.no h2').allTextContents()).toContain('Preflight');
    expect(await page.locator('header b').textContent()).toBe('Next:');
    expect(await page.locator('main > section[id]').first().getAttribute('id')).toBe('route');
    expect(await page.locator('main > section[id]').nth(1).getAttribute('id')).toBe('preflight');
    expect(await page.locator('#preflight .tag.bad').first().textContent()).toBe('STOP');
    expect(await page.locator('#preflight pre code').first().textContent()).toMatch(
      /^pnpm -F backend migrate-production /,
    );
    expect(await page.locator('#route').textContent()).toMatch(
      /Hop 1: time of migrations: .*Hop 1: going back needs the backup: /,
    );
  });

  it('draws one mark a release, told apart by shape, and counted for the reader of a screen', async () => {
    const page = await open('largest');
    expect(await page.locator('#timeline path:has(title)').count()).toBe(3597);
    expect(await page.locator('#timeline svg[role=img]').getAttribute('aria-label')).toBe(
      '498 proven, 74 unsafe, 5 unknown, recent, 3,020 unknown, backfilled',
    );
    expect(await page.locator('#timeline .landing').count()).toBe(7);
    const shapes = await page.evaluate(
      '["t","f","u","b"].map((kind) => document.querySelector("#timeline [role] .m-" + kind).getAttribute("d").replace(/^M\\S+ \\S+?(?=[a-z])/, ""))',
    );
    expect(new Set(shapes as string[]).size).toBe(4);
  });

  it('tells of a hop on a phone all that it tells on a desk, and none of it beside the screen', async () => {
    const page = await open('below', { viewport: { width: 390, height: 844 } });
    const hop = page.locator('#route tbody tr').first();
    expect(await hop.textContent()).toBe(
      '10.1050.00.1893.0Recreate, not certified101the index floorthe backup',
    );
    expect(await hop.locator('.tag.bad').isVisible()).toBe(true);
    expect(
      await page.evaluate(
        '[...document.querySelectorAll("#route td")].every((td) => td.getBoundingClientRect().right <= 390)',
      ),
    ).toBe(true);
    expect(
      await page.evaluate(
        '[...document.querySelectorAll("#route tbody tr:first-child td")].map((td) => td.dataset.column).join()',
      ),
    ).toBe('Hop,From,To,Strategy,Releases,Unsafe,Unknown,Lands there as,Going back needs');
  });

  it('leads to the same path in the page', async () => {
    const page = await open('green');
    expect(await page.locator('nav #page').getAttribute('href')).toMatch(
      /^https:.*\/page\/#from=1\.121\.0&to=1\.125\.0$/,
    );
  });

  it('shows hostile text as text', async () => {
    const page = await open('hostile');
    expect(
      await page.locator('img, iframe, a[href^="javascript:"], a[href^="http"]:not(#page)').count(),
    ).toBe(0);
    expect(await page.locator('#rest-api').textContent()).toContain('<script>alert(1)</script></title>');
    expect(await page.title()).toBe('Upgrade report: 1.111.0 → 1.160.0, UNSAFE');
  });
});

describe('what makes it a no', () => {
  /** The releases that are there to be seen, in order. */
  const seen =
    '[...new Set([...document.querySelectorAll("#unsafe li, #unknown-recent li, #unknown-backfilled li, #proven li")].filter((line) => line.checkVisibility({ contentVisibilityAuto: true })).map((line) => line.textContent.split(/[ ,]/)[0]))]';

  it('stands first, with what was declared to break; what is proven is folded', async () => {
    const page = await open('no');
    expect(await page.locator('main > section[id]').nth(1).getAttribute('id')).toBe('unsafe');
    expect(await page.evaluate(seen)).toHaveLength(8 + 5 + 11);
    expect(await page.locator('#unsafe p').textContent()).toMatch(/^8 /);
    const breaks = page.locator('#unsafe ul').getByText('old pods still read the column');
    expect(await breaks.count()).toBe(7);
    expect(await page.locator('#proven details').getAttribute('open')).toBeNull();
    expect(await page.locator('#proven summary').textContent()).toMatch(/^498 /);
  });

  it('is all there on paper', async () => {
    const page = await open('no');
    const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
    expect(pdf.match(/\/Type \/Page\b/g)?.length).toBeGreaterThan(10);
    await page.emulateMedia({ media: 'print' });
    expect(await page.evaluate(seen)).toHaveLength(522);
    expect(
      await page.evaluate('document.querySelector("#proven details ul").getBoundingClientRect().height'),
    ).toBeGreaterThan(5000);
  });
});

describe('where no artifact was read', () => {
  it('says so once, on top, and counts nothing', async () => {
    const page = await open('unread');
    expect(await page.locator('#route dd').nth(1).textContent()).toMatch(
      /^none was read, so what .* is not known; .* index mirror /,
    );
    for (const id of [
      'environment-variables',
      'migrations',
      'rest-api',
      'mcp-tools',
      'declared-advisories',
    ]) {
      expect(await page.locator(`#${id}`).textContent()).toMatch(
        /Not known: no artifact that was read reports this\./,
      );
      expect(await page.locator(`#${id}`).textContent()).not.toMatch(/\d/);
    }
    expect(await page.locator('main').textContent()).not.toMatch(/disagreements? with|None is/);
    // By the index alone: a direct upgrade, over releases that are not all proven to roll.
    expect(await page.locator('.answers section.no strong').allTextContents()).toEqual(['No']);
  });
});

/** Words that stand on more than one line: of headings all, elsewhere versions. */
const brokenWords = `(() => {
  const broken = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (element.closest('script, style, svg, [hidden]')) continue;
    const heading = element.closest('h1, h2, h3, th, dt, summary, legend, .tag, .verdict');
    for (const word of node.data.matchAll(heading ? /\\S+/g : /\\d+\\.\\d+\\.\\d+/g)) {
      const range = document.createRange();
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      const lines = new Set([...range.getClientRects()].filter((box) => box.width > 0).map((box) => Math.round(box.top)));
      if (lines.size > 1) broken.push(word[0]);
    }
  }
  return broken;
})()`;

describe('no version and no heading breaks inside a word', () => {
  it.each(['no', 'unread', 'green', 'below', 'hostile', 'stopped'])(
    '%s: at 390 px, and on paper',
    async (name) => {
      const page = await open(name, { viewport: { width: 390, height: 844 } });
      await page.evaluate(
        'document.querySelectorAll("details").forEach((details) => { details.open = true; })',
      );
      expect(await page.evaluate(brokenWords)).toEqual([]);
      // A4 without its margins.
      await page.setViewportSize({ width: 718, height: 1047 });
      await page.emulateMedia({ media: 'print' });
      expect(await page.evaluate(brokenWords)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(718);
    },
  );

  it('and one that would is found', async () => {
    const page = await open('green', { viewport: { width: 390, height: 844 }, bypassCSP: true });
    await page.addStyleTag({ content: 'th, h2 { width: 1em; overflow-wrap: anywhere; display: block }' });
    expect(await page.evaluate(brokenWords)).not.toEqual([]);
  });
});

/** Texts that nobody sees with all of the page unfolded, but for what stands for pictures. */
const unseen = `(() => {
  for (const one of document.querySelectorAll('details')) one.open = true;
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  while (texts.nextNode()) {
    const { parentElement: around, data } = texts.currentNode;
    if (data.trim() === '' || around.closest('script, style, svg, [hidden]')) continue;
    const range = document.createRange();
    range.selectNode(texts.currentNode);
    const { width, height } = range.getBoundingClientRect();
    if (width * height < 1 || !around.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      found.push(data.trim().slice(0, 80));
  }
  return found;
})()`;

it.each(['green', 'below', 'stopped', 'unread'])('hides nothing of what it says: %s', async (name) => {
  const page = await open(name);
  expect(await page.evaluate(unseen)).toEqual([]);
});

it('prints, without what only a screen needs', async () => {
  const page = await open('green');
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  expect(await page.locator('nav').isVisible()).toBe(false);
  expect(await page.evaluate('getComputedStyle(document.body).color')).toBe('rgb(0, 0, 0)');
  expect((await page.pdf({ format: 'A4' })).subarray(0, 5).toString()).toBe('%PDF-');
});
