import {
  type Checker,
  ElementFlags,
  NodeBuilderFlags,
  type Signature,
  SignatureKind,
  SymbolFlags,
  type Symbol as TsSymbol,
  type Type,
  TypeFlags,
  type TypeReference,
} from 'typescript/unstable/sync';

/**
 * Declarations as a reader wants them: what zod infers is written out, and what has an exported name is called by it.
 * Without `readonly`, which nearly everything is.
 *
 * @param exported everything that has a name
 */
export function createTypeText(checker: Checker, exported: ReadonlyMap<string, TsSymbol>) {
  const isType = ({ flags }: TsSymbol) =>
    (flags & (SymbolFlags.TypeAlias | SymbolFlags.Interface | SymbolFlags.Class)) !== 0;
  const types = [...exported].filter(([, symbol]) => isType(symbol));
  const declared = types.map(([name, symbol]) => ({ name, type: checker.getDeclaredTypeOfSymbol(symbol) }));
  // Of several names of a type, its own, and of these the shortest.
  const rank = (name: string) => name.length + (exported.get(name)?.name === name ? 0 : 1000);
  const names = new Map(
    declared
      .filter(({ type }) => !type.isIntrinsicType())
      .toSorted((a, b) => rank(b.name) - rank(a.name))
      .map(({ name, type }) => [type.id, name]),
  );
  const namedUnions = declared.flatMap(({ name, type }) =>
    type.isUnionType() ? [{ name, id: type.id, members: type.getTypes().map(({ id }) => id) }] : [],
  );

  /** A type in the place of a part: by its name, if it has one. */
  const text = (type: Type, within: readonly number[]): string => {
    const name = names.get(type.id);
    if (name !== undefined) return name;
    const alias = type.getAliasSymbol();
    const aliasArguments = type.getAliasTypeArguments();
    if (alias && (exported.get(alias.name)?.id === alias.id || alias.name === 'Record')) {
      return withArguments(alias.name, aliasArguments, within);
    }
    return written(type, within);
  };

  const withArguments = (name: string, types: readonly Type[], within: readonly number[]) =>
    types.length === 0 ? name : `${name}<${types.map((type) => text(type, within)).join(', ')}>`;

  /** A type by what it consists of. */
  const written = (type: Type, within: readonly number[]): string => {
    if (within.includes(type.id)) return plain(type);
    const inside = [...within, type.id];
    if (type.isUnionType()) return union(type.getTypes(), inside);
    if (type.isIntersectionType() && type.getTypes().every((part) => part.isObjectType())) {
      const isNamed = type.getTypes().some(({ id }) => names.has(id));
      if (!isNamed) return members(type, inside);
      return type
        .getTypes()
        .map((part) => text(part, inside))
        .join(' & ');
    }
    if (!type.isObjectType()) return plain(type);
    if (type.isTypeReference() && isForeign(type)) return reference(type, inside);
    const [call] = checker.getSignaturesOfType(type, SignatureKind.Call);
    if (call !== undefined) return signature(call, inside, ' =>');
    return isForeign(type) ? plain(type) : members(type, inside);
  };

  const plain = (type: Type) =>
    checker.typeToString(type, undefined, NodeBuilderFlags.NoTruncation).replaceAll('"', "'");

  /** Whether Node or the language declares it, such as `Map`: then its members are not told. */
  const isForeign = (type: Type) => {
    const { flags = 0, declarations = [] } = type.getSymbol() ?? {};
    const named = (flags & (SymbolFlags.Class | SymbolFlags.Interface)) !== 0;
    return checker.isTupleType(type) || (named && declarations.some(({ path }) => isOfPlatform(path)));
  };

  const reference = (type: TypeReference, within: readonly number[]): string => {
    const all = checker.getTypeArguments(type);
    const items = all.map((part) => text(part, within));
    const target = type.getTarget();
    if (target.isTupleType()) {
      const parts = items.map((item, i) =>
        (target.elementFlags[i] ?? 0) & ElementFlags.Rest ? `...${listOf(item)}` : item,
      );
      const line = `[${parts.join(', ')}]`;
      return line.length <= widest ? line : `[\n${indent(parts.map((part) => `${part},`).join('\n'))}\n]`;
    }
    if (checker.isArrayLikeType(type)) return listOf(items[0] ?? 'unknown');
    const told = items.filter((item) => item !== 'any');
    return `${target.getSymbol()?.name}${told.length === 0 ? '' : `<${told.join(', ')}>`}`;
  };

  const union = (all: readonly Type[], within: readonly number[]): string => {
    const ids = new Set(all.map(({ id }) => id));
    const named = namedUnions.find(
      ({ id, members }) => !within.includes(id) && members.every((member) => ids.has(member)),
    );
    const others = all.filter(({ id }) => !named?.members.includes(id));
    const isBoolean = others.filter(({ flags }) => flags & TypeFlags.BooleanLiteral).length === 2;
    const rest = others.filter(({ flags }) => !(isBoolean && flags & TypeFlags.BooleanLiteral));
    const last = rest.filter(({ flags }) => flags & (TypeFlags.Null | TypeFlags.Undefined));
    const parts = [
      ...(named ? [named.name] : []),
      ...(isBoolean ? ['boolean'] : []),
      ...[...rest.filter((type) => !last.includes(type)), ...last].map((type) => text(type, within)),
    ];
    const line = parts.join(' | ');
    return line.includes('\n') || line.length <= widest
      ? line
      : `\n${indent(parts.map((part) => `| ${part}`).join('\n'))}`;
  };

  const members = (type: Type, within: readonly number[]): string => {
    const indexed = checker
      .getIndexInfosOfType(type)
      .map(({ valueType }) => `[key: string]: ${text(valueType, within)};`);
    const own = checker.getPropertiesOfType(type).filter(({ name, declarations }) => {
      return !name.startsWith('__') && !declarations.some(({ path }) => isOfPlatform(path));
    });
    const lines = [...own.flatMap((property) => member(property, within)), ...indexed];
    return lines.length === 0 ? '{}' : `{\n${indent(lines.join('\n'))}\n}`;
  };

  const member = (property: TsSymbol, within: readonly number[]): string[] => {
    const type = checker.getTypeOfSymbol(property);
    if (type === undefined) return [];
    const about = property.getDocumentationComment(checker).trim();
    const name = /^\w+$/.test(property.name) ? property.name : JSON.stringify(property.name);
    return [
      ...(about === '' ? [] : [comment(about)]),
      `${name}${valueText(type, (property.flags & SymbolFlags.Optional) !== 0, within)};`,
    ];
  };

  /** `: type`, or `?: type` without the undefined that this means. */
  const valueText = (type: Type, optional: boolean, within: readonly number[]): string => {
    if (!optional || !type.isUnionType()) return `${optional ? '?' : ''}: ${text(type, within)}`;
    const present = type.getTypes().filter(({ flags }) => !(flags & TypeFlags.Undefined));
    return `?: ${union(present, within)}`;
  };

  /** The result as it is declared, where that names exports: the compiler spells out what `Exact<…>` makes of one. */
  const annotation = (call: Signature): string | undefined => {
    const declaration: object = call.declaration?.resolve() ?? {};
    const node: unknown = 'type' in declaration ? declaration.type : undefined;
    const declared = isNode(node) ? node.getText() : '';
    const [, inner = '', last = ''] = /^Promise<((?:Exact<)?(\w+)>?)>$/.exec(declared) ?? [];
    return exported.has(last) ? `Promise<${inner}>` : undefined;
  };

  const signature = (call: Signature, within: readonly number[], arrow: string): string => {
    const parameters = call.getParameters().map((parameter) => {
      const type = checker.getTypeOfSymbol(parameter);
      const source = parameter.valueDeclaration?.resolve();
      const optional = source !== undefined && ('initializer' in source || 'questionToken' in source);
      const isSet =
        optional &&
        (Reflect.get(source, 'initializer') ?? Reflect.get(source, 'questionToken')) !== undefined;
      const name = parameter.name.startsWith('__') ? 'options' : parameter.name;
      return type === undefined ? name : `${name}${valueText(type, isSet, within)}`;
    });
    const predicate = checker.getTypePredicateOfSignature(call);
    const result = checker.getReturnTypeOfSignature(call);
    const returned =
      predicate?.type !== undefined
        ? `${predicate.parameterName} is ${text(predicate.type, within)}`
        : (annotation(call) ?? (result && text(result, within)));
    const line = `(${parameters.join(', ')})${arrow} ${returned}`;
    const [head = ''] = line.split('\n', 1);
    if (parameters.length < 2 || head.length <= widest) return line;
    return `(\n${indent(parameters.map((parameter) => `${parameter},`).join('\n'))}\n)${arrow} ${returned}`;
  };

  /** The declaration of an export. */
  const declarationOf = (name: string, symbol: TsSymbol): string => {
    if (!isType(symbol)) {
      const type = checker.getTypeOfSymbol(symbol);
      const [call] = type === undefined ? [] : checker.getSignaturesOfType(type, SignatureKind.Call);
      if (call !== undefined) return `function ${name}${signature(call, [], ':')}`;
      return `const ${name}: ${type && text(type, [])}`;
    }
    const type = checker.getDeclaredTypeOfSymbol(symbol);
    if (type.getAliasTypeArguments().some((argument) => argument.isTypeParameter())) {
      return sourceOf(symbol);
    }
    if (symbol.flags & SymbolFlags.Class) return `class ${name} extends Error ${members(type, [type.id])}`;
    if (symbol.flags & SymbolFlags.Interface) return `interface ${name} ${members(type, [type.id])}`;
    const first = names.get(type.id);
    return `type ${name} = ${first === undefined || first === name ? written(type, []) : first}`;
  };

  return { declarationOf };
}

/** From here on, a line is broken. */
const widest = 90;

function isOfPlatform(path: string): boolean {
  return /\/lib\.[\w.]+\.d\.ts$|@types\/node/.test(path);
}

function listOf(item: string): string {
  return /[\s|&]/.test(item.replaceAll(/\{[\s\S]*\}|<[\s\S]*>/g, '')) ? `(${item})[]` : `${item}[]`;
}

function isNode(value: unknown): value is { getText(): string } {
  return typeof value === 'object' && value !== null && 'getText' in value;
}

/** A generic type as it is written. */
function sourceOf(symbol: TsSymbol): string {
  const node = symbol.declarations[0]?.resolve();
  return (node?.getText() ?? '').replace(/^export /, '');
}

function comment(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.length === 1
    ? `/** ${text} */`
    : ['/**', ...lines.map((line) => ` * ${line}`), ' */'].join('\n');
}

function indent(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '  ');
}
