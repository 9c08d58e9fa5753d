import type { IncomingMessage, ServerResponse } from 'node:http';
import { serve } from './server.js';

/** One request as it arrived, body byte for byte. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** An answer: a JSON value with status 200, or what the function does with the response. */
export type Answer =
  | { readonly [key: string]: unknown }
  | ((response: ServerResponse, request: Received) => void);

export interface LightdashServer {
  readonly url: string;
  /** All that was sent, in order. */
  readonly received: readonly Received[];
}

/**
 * A Lightdash on loopback that gives the answers in order, the last one again and again. It ends with the test.
 */
export async function startLightdash(...answers: readonly Answer[]): Promise<LightdashServer> {
  const received: Received[] = [];
  const { url } = await serve((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const arrived = { method, url, headers, body: Buffer.concat(chunks).toString() };
      const answer = answers[Math.min(received.length, answers.length - 1)];
      received.push(arrived);
      if (answer === undefined) throw new Error('the test expects no request');
      if (typeof answer === 'function') answer(response, arrived);
      else sendJson(answer)(response);
    });
  });
  return { url, received };
}

export function sendJson(value: unknown, status = 200): (response: ServerResponse) => void {
  return sendText(JSON.stringify(value), { status });
}

export function sendText(
  text: string,
  { status = 200, type = 'application/json; charset=utf-8' }: { status?: number; type?: string } = {},
): (response: ServerResponse) => void {
  return (response) => {
    response.writeHead(status, { 'content-type': type });
    response.end(text);
  };
}

/** The payload that all error responses share. */
export function errorPayload(statusCode: number, name: string, message?: string, data: unknown = {}) {
  return { status: 'error', error: { name, statusCode, message, data } };
}

export const projectUuid = '3675b69e-8324-4110-bdca-059031aa8da3';
export const queryUuid = 'b1f7c0de-9a1b-4c2d-8e3f-0a1b2c3d4e5f';
export const chartUuid = '8c1f0e52-6f0a-4a8b-9d2e-1f3a5b7c9d0e';
export const token = 'ldpat_7c0ffee0deadbeef5eed';

/** The environment of a command that asks this server. */
export function envOf({ url }: Pick<LightdashServer, 'url'>): Record<string, string> {
  return { LIGHTDASH_URL: url, LIGHTDASH_PROJECT: projectUuid, LIGHTDASH_API_KEY: token };
}
