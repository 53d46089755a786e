import { join } from "node:path";
import ts from "typescript";
import { root } from "./root.ts";

/** A value that must be of a type; `type` is an expression in the words of what is imported. */
export interface Literal {
  readonly name: string;
  readonly type: string;
  readonly value: unknown;
}

/** What the compiler says against one of them. `path` is where in the value, `messages[0].content`; empty for the whole. */
export interface Misfit {
  readonly name: string;
  readonly path: string;
  readonly message: string;
}

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  lib: ["lib.es2023.d.ts", "lib.dom.d.ts"],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  types: [],
  strict: true,
  skipLibCheck: true,
  noEmit: true,
};

/**
 * Writes the values as literals into one file that is never on disk, and has it checked: fields a type does not know are
 * misfits as wrong values are. Throws where `declarations` are wrong themselves.
 */
export function misfits(declarations: string, literals: readonly Literal[]): Misfit[] {
  const path = join(root, "published-shapes.virtual.mts");
  const lines = literals.map(({ type, value }, at) => `const r${at}: ${type} = ${JSON.stringify(value)};`);
  const file = ts.createSourceFile(path, [declarations, ...lines].join("\n"), ts.ScriptTarget.ES2023, true);
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (name) => name === path || fileExists(name);
  host.getSourceFile = (name, ...rest) => (name === path ? file : getSourceFile(name, ...rest));
  const program = ts.createProgram([path], options, host);
  const said = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
  return said.map(({ start = 0, messageText }) => {
    const message = ts.flattenDiagnosticMessageText(messageText, "\n");
    const [at, ...steps] = stepsTo(file, start);
    const literal = at === undefined ? undefined : literals[Number(at.slice(1))];
    if (!literal) throw new Error(`The declarations do not hold: ${message}`);
    return { name: literal.name, path: steps.join("").replace(/^\./, ""), message };
  });
}

/** The variable around a place, then `.field` and `[index]` from there inwards. Empty outside of variables. */
function stepsTo(file: ts.SourceFile, place: number): string[] {
  const steps: string[] = [];
  let node = deepest(file, place);
  for (; !ts.isSourceFile(node); node = node.parent) {
    if (ts.isVariableDeclaration(node)) return [node.name.getText(file), ...steps];
    if (ts.isPropertyAssignment(node) && ts.isStringLiteral(node.name)) steps.unshift(`.${node.name.text}`);
    else if (ts.isArrayLiteralExpression(node.parent))
      steps.unshift(`[${node.parent.elements.findIndex((one) => one.pos === node.pos)}]`);
  }
  return [];
}

function deepest(node: ts.Node, place: number): ts.Node {
  const inner = ts.forEachChild(node, (child) => (child.pos <= place && place < child.end ? child : undefined));
  return inner ? deepest(inner, place) : node;
}
