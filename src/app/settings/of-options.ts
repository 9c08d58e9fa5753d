import * as z from 'zod/mini';
import type { OptionDeclaration, OptionTable, SettingDeclaration } from '../../cli/declare.js';
import * as deploymentOptions from '../../cli/deployment-options.js';
import * as options from '../../cli/options.js';

/** The keys of `lightspan.yaml` that stand for an option, made of the declarations of the options. */

export const oneLine = /^\S(?:\P{Cc}*\S)?$/u;
export const words = (what: string, form = oneLine) => z.string().check(z.regex(form), z.describe(what));
export const optionalText = (what: string, form?: RegExp) => z.optional(words(what, form));
export const list = (what: string) => z.optional(z.array(words(what)).check(z.minLength(1)));

type Modules = typeof options & typeof deploymentOptions;
type Tables = Extract<Modules[keyof Modules], OptionTable>;

type ValueOf<One> = One extends { readonly several: true }
  ? string[]
  : One extends { readonly choices: readonly (infer Choice)[] }
    ? Choice
    : string;

type SchemasOf<Table> = {
  [Name in keyof Table as Table[Name] extends { readonly setting: object } ? Name : never]: z.ZodMiniOptional<
    z.ZodMiniType<ValueOf<Table[Name]>>
  >;
};

/** Those of every table at once. */
type SchemasOfAll<Table> = (Table extends unknown ? (one: SchemasOf<Table>) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;

/** By their names: the order of a module's exports depends on what loads it. */
export const settingsOfOptions = Object.fromEntries<unknown>(
  Object.values({ ...options, ...deploymentOptions })
    .flatMap((table) => Object.entries<OptionDeclaration>(typeof table === 'object' ? table : {}))
    .flatMap(([name, { setting, ...option }]) =>
      setting === undefined ? [] : [[name, schemaOf(setting, option)] as const],
    )
    .toSorted(([a], [b]) => (a < b ? -1 : 1)),
) as SchemasOfAll<Tables>;

function schemaOf(
  { description = '', form }: SettingDeclaration,
  { choices, several }: Pick<OptionDeclaration, 'choices' | 'several'>,
) {
  if (choices !== undefined) return z.optional(z.enum(choices));
  return several ? list(description) : optionalText(description, form);
}
