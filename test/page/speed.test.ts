import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { addressOf } from '../../src/words/page-address.js';
import { address, browser, longest, open } from '../support/page.js';

/**
 * The time that the page itself takes on a processor, in milliseconds: that of a clock on a machine that nobody else
 * uses.
 */
async function ownTime(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN);
  };
}

describe('the page, over the whole index', () => {
  it('the first answer takes at most 300 ms from opening', async () => {
    const times: number[] = [];
    for (let i = 0; i < 5; i++) {
      const page = await browser.newPage();
      const time = await ownTime(page);
      await page.goto(`${address}${addressOf(longest)}`);
      await page.locator('#hops tbody tr').first().waitFor();
      times.push(await time());
      await page.close();
    }
    report('first answer, ms', times);
    expect(median(times)).toBeLessThan(300);
  });

  it('a change of version takes at most 50 ms, drawn', async () => {
    const page = await open(longest);
    const time = await ownTime(page);
    const times: number[] = [];
    for (let i = 0; i < 16; i++) {
      const before = await time();
      await page.evaluate(`(() => {
        const field = document.querySelector('[name=to]');
        field.value = '2.${100 + i}.0';
        field.dispatchEvent(new Event('input', { bubbles: true }));
        return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      })()`);
      times.push((await time()) - before);
    }
    report('change, ms', times);
    expect(median(times)).toBeLessThan(50);
  });

  it('dragging leaves room for 50 frames a second', async () => {
    const page = await open(longest);
    const time = await ownTime(page);
    const times: number[] = [];
    for (let round = 0; round < 4; round++) {
      const before = await time();
      await page.evaluate(`(async () => {
        const line = document.querySelector('#picture');
        const { left, width } = line.getBoundingClientRect();
        for (let i = 0; i < 100; i++) {
          line.dispatchEvent(new PointerEvent('pointermove', { clientX: left + (width * i) / 100 }));
          await new Promise(requestAnimationFrame);
        }
      })()`);
      times.push(((await time()) - before) / 100);
    }
    report('frame, ms', times);
    expect(median(times)).toBeLessThan(1000 / 50);
  });
});

function median(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[times.length >> 1] ?? Number.NaN;
}

function report(what: string, times: readonly number[]): void {
  process.stderr.write(`${what}: ${times.map((time) => time.toFixed(1)).join(' ')}\n`);
}
