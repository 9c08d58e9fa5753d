import * as z from 'zod/mini';
import { okEnvelope, parseResponse } from './parse-response.js';
import type { Send } from './send.js';

/** The shape of a user is not shown in the contract. */
export const orgUsersSchema = okEnvelope(z.unknown());

export type OrgUsersResponse = z.infer<typeof orgUsersSchema>;

/** `GET /api/v1/org/users`: all users of the organization. */
export async function listUsers(send: Send): Promise<OrgUsersResponse> {
  return parseResponse(orgUsersSchema, await send({ method: 'GET', path: '/api/v1/org/users' }));
}
