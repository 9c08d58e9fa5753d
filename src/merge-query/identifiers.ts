import * as z from 'zod/mini';

/** The name of a field as a query knows it: a string, of any characters (the contract bounds none). */
export const fieldIdSchema = z.string();

/** "A UUID is a string in UUID version 4 format (RFC 4122)": no other version passes. */
export const uuidSchema = z.uuidv4();

/** A record that the contract leaves "not shown": it passes through untouched. */
export const notShownSchema = z.looseObject({});
