import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { applicable, boundedIn, type Document, membersOf, mistyped, requiredIn } from "./cases/applicability.ts";
import { exceptions, unchecked } from "./cases/exceptions.ts";
import { families } from "./cases/index.ts";
import { rowsOf, wrongTypeRow } from "./cases/rows.ts";
import { run } from "./cases/run.ts";
import { openWorld, Stage, type World } from "./cases/stage.ts";
import { type Family, kinds } from "./cases/table.ts";
import { specified } from "./operations.ts";

const things = Object.assign({}, ...families.map((family) => family.things));
const table = families.flatMap((family) =>
  Object.entries(family.operations).map(([operation, cases]) => {
    const rows = rowsOf(operation.split(" ")[0] ?? "", cases, things);
    return { family, operation, cases, rows, kinds: new Set(rows.map(({ kind }) => kind)) };
  }),
);

let world: World;
let document: Document;

beforeAll(async () => {
  world = await openWorld(things);
  document = world.document;
});
afterAll(() => world.close());

const stages = new Map<Family, Stage>();

/** The records of a family that calls name which are refused. */
function stageOf(family: Family): Stage {
  const stage = stages.get(family) ?? new Stage(world);
  stages.set(family, stage);
  return stage;
}

describe.each(table.map((one) => [one.operation, one] as const))("%s", (operation, { family, cases, rows }) => {
  it.each(rows.map((row) => [`${row.kind}: ${row.name}`, row] as const))("%s", (_, row) =>
    run(operation, row, world, stageOf(family)),
  );

  if (cases.body === undefined) return;
  it("wrong type: each field that /openapi.json tells of", async () => {
    for (const change of mistyped(operation, document))
      if (!(`${operation}: ${change[0]}` in unchecked))
        await run(operation, wrongTypeRow(cases, change), world, stageOf(family));
  });
});

const lists = table.filter(({ operation }) => /^GET .*[^}]$/.test(operation));

describe("a list refuses names in its query that it does not know", () => {
  it.each(lists.map((one) => [one.operation, one] as const))("%s", async (operation, { family, cases, rows }) => {
    const [right] = rows;
    if (!right) throw new Error(`${operation} has no case`);
    const call = { ...cases, query: { ...cases.query, serach: "x" } };
    await run(
      operation,
      { ...right, call, refused: { status: 400, code: "AB01", param: "serach" } },
      world,
      stageOf(family),
    );
  });

  it.each(lists.map((one) => [one.operation, one] as const))("%s, but not those of all", async (operation, one) => {
    const right = one.rows.find(({ refused }) => refused === undefined);
    if (!right) throw new Error(`${operation} has no case that is right`);
    const call = { ...right.call, query: { ...right.call.query, pretty: "" } };
    await run(operation, { ...right, call }, world, stageOf(one.family));
  });
});

describe("a list takes what is empty of its query for not said, whose records are meant besides", () => {
  const whose = /^(?:organisation_id|workspace_?id|workspace_slug)$/i;

  it.each(lists.map((one) => [one.operation, one] as const))("%s", async (operation, { family, cases, rows }) => {
    const right = rows.find(({ refused }) => refused === undefined);
    if (!right) throw new Error(`${operation} has no case that is right`);
    const bounded = new Set((cases.bound ?? []).flatMap(([place, value]) => (value === "" ? [place] : [])));
    const names = [...membersOf(operation, document)].filter((name) => !whose.test(name) && !bounded.has(`?${name}`));
    const empty = Object.fromEntries(names.map((name) => [name, ""]));
    const call = { ...right.call, query: { ...empty, ...right.call.query } };
    await run(operation, { ...right, call }, world, stageOf(family));
  });
});

describe("the table is complete", () => {
  it("has every operation of the specification, and no other", () => {
    const named = specified.map(({ method, path }) => `${method} ${path}`);
    expect(table.map(({ operation }) => operation).sort()).toEqual(named.sort());
  });

  const gaps = (wanted: boolean) =>
    table.flatMap(({ operation, kinds: has }) => {
      const applies = applicable(operation, document);
      return kinds
        .filter((kind) => applies.has(kind) === wanted && has.has(kind) !== wanted)
        .map((kind) => `${operation}: ${kind}`)
        .filter((gap) => !(gap in exceptions));
    });

  const expectNone = (found: readonly string[]) => expect(found, found.join("\n")).toEqual([]);

  it("has a case of every kind that applies to an operation", () => {
    expectNone(gaps(true));
  });

  it("has no case of a kind that does not apply", () => {
    expectNone(gaps(false));
  });

  it("leaves out each field once that the gateway cannot do without", () => {
    const forgotten = table.flatMap(({ operation, cases }) => {
      const declared = new Set((cases.missing ?? []).map((one) => (typeof one === "string" ? one : one[0])));
      return requiredIn(operation, document)
        .filter((place) => !declared.has(place))
        .map((place) => `${operation}: ${place}`);
    });
    expectNone(forgotten);
  });

  it("goes beyond each field that has a bound", () => {
    const forgotten = table.flatMap(({ operation, cases }) => {
      const declared = new Set((cases.bound ?? []).map(([place]) => place.replace(/[.[].*/, "")));
      return boundedIn(operation, document)
        .filter((place) => !declared.has(place))
        .map((place) => `${operation}: ${place}`);
    });
    expectNone(forgotten);
  });

  it("sends nothing that /openapi.json does not tell of", () => {
    const untold = table.flatMap(({ operation, cases: { body = {}, query = {} } }) => {
      const members = membersOf(operation, document);
      return Object.keys({ ...query, ...(body as object) })
        .filter((name) => !members.has(name))
        .map((name) => `${operation}: ${name}`);
    });
    expectNone(untold);
  });

  it("makes no exception that is none", () => {
    const unneeded = Object.keys(exceptions).filter((gap) => {
      const [operation = "", kind = ""] = gap.split(": ");
      const has = table.find((one) => one.operation === operation)?.kinds as ReadonlySet<string> | undefined;
      return !has || has.has(kind) === (applicable(operation, document) as ReadonlySet<string>).has(kind);
    });
    expectNone(unneeded);
  });
});
