import { expect, it } from 'vitest';
import { pageAddress } from '../../src/answer/page-address.js';

it.each([
  ['https://example.invalid/lightspan#readme', undefined],
  ['https://www.example.invalid', undefined],
  [
    'https://lightspan.example.org/home#readme',
    'https://lightspan.example.org/home/page/#from=1.2.0&to=1.3.0',
  ],
  ['https://example.invalid.org/home', 'https://example.invalid.org/home/page/#from=1.2.0&to=1.3.0'],
])('of a project whose home is %s: %s', (homepage, address) => {
  expect(pageAddress({ from: '1.2.0', to: '1.3.0' }, homepage)).toBe(address);
});
