import nock from 'nock';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { envOf } from './lightdash-server.js';

/** An address that no test reaches. */
const url = 'https://lightdash.example.com';

/** The environment of a command that asks there. */
export const envOfAnswers = envOf({ url });

/**
 * Answers for the tests of a file whose subject is what is made of them, and no connection: each request has to be
 * answered, each answer asked for, and nobody else is reached meanwhile.
 *
 * @param reqheaders what every request must have
 */
export function answerRequests(reqheaders: Readonly<Record<string, string>> = {}): () => nock.Scope {
  beforeAll(() => {
    if (!nock.isActive()) nock.activate();
    nock.disableNetConnect();
  });
  afterEach(() => {
    const left = nock.pendingMocks();
    nock.cleanAll();
    expect(left).toEqual([]);
  });
  afterAll(() => {
    nock.enableNetConnect();
    // Files share a process.
    nock.restore();
  });
  return () => nock(url, { reqheaders });
}
