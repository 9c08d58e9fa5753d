import { expect, it } from 'vitest';
import { renderProgress } from '../../src/answer/outputs/messages.js';

it.each([
  [{ done: 0, total: 0, seconds: 0 }, /^Artifacts █{24} 0\/0$/],
  [{ done: 1, total: 3, seconds: 0.2 }, /^Artifacts █{8}░{16} 1\/3$/],
  [{ done: 29, total: 487, seconds: 10 }, /29\/487, 2\.9 a second, 158 s left$/],
])('how far it is: %j', (progress, expected) => {
  expect(renderProgress(progress)).toMatch(expected);
  expect(renderProgress(progress, true)).toMatch(/^[ -~]+$/);
});
