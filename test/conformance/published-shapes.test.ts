import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { type ChatRequest, type ChatResponse, type Format, GatewayError } from "../../core/index.ts";
import { arbitraryChatRequest, arbitraryChatResponse } from "../arbitraries/chat.ts";
import { root } from "../support/root.ts";
import { type Literal, type Misfit, misfits } from "../support/typed-literals.ts";
import { everything } from "./everything.ts";
import { chatFormats } from "./pairs.ts";
import { type Exception, exceptions, fitted } from "./published-exceptions.ts";
import { bodies } from "./published-requests.ts";
import { chatShapes, declarations } from "./published-shapes.ts";
import { sayable } from "./sayable.ts";
import { vendorContext } from "./vendor-context.ts";

/** The same ones every time: what the compiler says must not depend on luck. */
const samples = { numRuns: 10, seed: 1 };

const ignore = () => undefined;
const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

function fixtures(format: Format, file: string): (readonly [scenario: string, wire: unknown])[] {
  const folder = join(root, "plugins", `format-${format.name}`, "fixtures");
  return readdirSync(folder)
    .map((scenario) => [scenario, join(folder, scenario, file)] as const)
    .filter(([, path]) => existsSync(path))
    .map(([scenario, path]) => [scenario, JSON.parse(readFileSync(path, "utf8"))]);
}

const asked: (readonly [name: string, request: ChatRequest])[] = [
  ...chatFormats.flatMap((client) =>
    [["everything", everything[client.name]] as const, ...fixtures(client, "request.json")].map(
      ([scenario, wire]) => [`${scenario} of ${client.name}`, { ...client.decodeRequest(wire), model: "m" }] as const,
    ),
  ),
  ...fc.sample(arbitraryChatRequest, samples).map((request, at) => [`sample ${at}`, request] as const),
];
const answered: (readonly [name: string, response: ChatResponse])[] = [
  ...chatFormats.flatMap((upstream) =>
    fixtures(upstream, "response.json").map(
      ([scenario, wire]) => [`${scenario} of ${upstream.name}`, upstream.decodeResponse(wire)] as const,
    ),
  ),
  ...fc.sample(arbitraryChatResponse, samples).map((response, at) => [`sample ${at}`, response] as const),
];

/** What this vendor is sent, without what its address says. */
function sent(upstream: Format<"chat">, request: ChatRequest) {
  const { model, stream, ...body } = written(upstream, request);
  return upstream.readUrl ? body : { model, stream, ...body };
}

/** What this vendor cannot be shown is shown in a way it can be. */
function written(upstream: Format<"chat">, request: ChatRequest) {
  try {
    return upstream.encodeRequest(request, ignore);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return upstream.encodeRequest(sayable(upstream, request), ignore);
  }
}

/** `of` is what exceptions are for. */
interface Case extends Literal {
  readonly of: string;
}

function casesOf(format: Format<"chat">): Case[] {
  const shape = chatShapes[format.name];
  if (!shape) throw new Error(`test/conformance/published-shapes.ts has no shape of ${format.name}`);
  return [
    ...asked.map(([name, request]) => ({
      of: `${format.name} request`,
      name,
      type: (request.stream && shape.streamed) || shape.whole,
      value: json(sent(format, request)),
    })),
    ...answered.map(([name, response]) => ({
      of: `${format.name} answer`,
      name,
      type: `Told<${shape.answer}>`,
      value: json(format.encodeResponse(response, vendorContext)),
    })),
  ];
}

const other = "other requests";
const cases: Case[] = [
  ...chatFormats.flatMap(casesOf),
  ...bodies.map((body) => ({ ...body, of: other, value: json(body.value) })),
];
const groups = [...new Set(cases.map(({ of }) => of))];

/** For every exception a value that would not do without it. */
const needing: (Literal & { readonly exception: Exception })[] = [];
const literals: Literal[] = cases.map(({ of, name, type, value }) => {
  const fit = fitted(of, value);
  for (const exception of fit.made) {
    if (needing.some((one) => one.exception === exception)) continue;
    const { value: without } = fitted(of, value, exception);
    needing.push({ exception, name: `exception ${exceptions.indexOf(exception)}`, type, value: without });
  }
  return { name: `${of}: ${name}`, type, value: fit.value };
});

describe("the shapes the vendors' SDKs publish", () => {
  let found: readonly Misfit[] = [];
  beforeAll(() => {
    found = misfits(declarations, [...literals, ...needing]);
  }, 120_000);

  it("are checked field by field", () => {
    const type = "{ a: { b: 1 }[]; c?: string }";
    const value = (b: number, more: object) => ({ name: "one", type, value: { a: [{ b: 1 }, { b }], ...more } });
    expect(misfits("", [value(1, { c: "c" }), value(2, {}), value(1, { d: 4 })])).toEqual([
      { name: "one", path: "a[1].b", message: expect.stringContaining("not assignable") },
      { name: "one", path: "d", message: expect.stringContaining("'\"d\"' does not exist") },
    ]);
    expect(() => misfits("type A = B;", [])).toThrow("Cannot find name 'B'");
  });

  it.each(groups)("are those of every %s", (of) => {
    expect(found.filter(({ name }) => name.startsWith(`${of}: `))).toEqual([]);
  });

  it.each(exceptions.map((exception, at) => ({ ...exception, at, path: exception.at })))(
    "differ for a $of at $path",
    ({ at }) => {
      expect(found.filter(({ name }) => name === `exception ${at}`)).not.toEqual([]);
    },
  );
});
