import * as z from 'zod/mini';
import { optionSettings } from '../../question/option-settings.js';
import type { OptionSetting } from '../../question/settings.js';

/** The schema of each key of `lightspan.yaml` that sets an option. */

export const oneLine = /^\S(?:\P{Cc}*\S)?$/u;
export const textSchema = (what: string, form = oneLine) => z.string().check(z.regex(form), z.describe(what));
export const optionalText = (what: string, form?: RegExp) => z.optional(textSchema(what, form));
export const list = (what: string) => z.optional(z.array(textSchema(what)).check(z.minLength(1)));

type ValueOf<Setting> = Setting extends { readonly several: true }
  ? string[]
  : Setting extends { readonly choices: readonly (infer Choice)[] }
    ? Choice
    : string;

type SchemasOf<Settings> = {
  [Name in keyof Settings]: z.ZodMiniOptional<z.ZodMiniType<ValueOf<Settings[Name]>>>;
};

export const settingsOfOptions = Object.fromEntries<unknown>(
  Object.entries(optionSettings)
    .map(([name, setting]) => [name, schemaOf(setting)] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1)),
) as SchemasOf<typeof optionSettings>;

function schemaOf({ description = '', form, choices, several }: OptionSetting) {
  if (choices !== undefined) return z.optional(z.enum(choices));
  return several ? list(description) : optionalText(description, form);
}
