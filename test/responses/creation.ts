import fc from "fast-check";
import type { Fields } from "../../core/index.ts";
import type { World } from "./deployment.ts";
import { chainOf, type Kept, openCalls } from "./model.ts";
import { behaviours } from "./vendors.ts";

const target = fc.record({
  provider: fc.constantFrom("chats", "chats", "claude", "claude", "native"),
  behaviour: fc.constantFrom(
    "answers",
    "answers",
    "answers",
    "thinks",
    "thinks",
    "calls",
    "calls",
    "calls",
    ...behaviours,
  ),
});

const anything = {
  who: fc.nat(2),
  targets: fc.oneof(
    { weight: 3, arbitrary: fc.array(target, { minLength: 1, maxLength: 1 }) },
    { weight: 1, arbitrary: fc.array(target, { minLength: 2, maxLength: 3 }) },
  ),
  mode: fc.constantFrom("fallback", "fallback", "fallback", "hedge"),
  stream: fc.boolean(),
  store: fc.constantFrom(undefined, undefined, undefined, true, false),
  from: fc.constantFrom("nothing", "own", "own", "own", "any", "unknown"),
  pick: fc.nat(),
  input: fc.array(
    fc.constantFrom("text", "text", "system", "said", "results", "results", "result", "reference", "stranger", "again"),
    {
      minLength: 1,
      maxLength: 3,
    },
  ),
  instructions: fc.boolean(),
  caches: fc.constantFrom(false, false, true),
  background: fc.constantFrom(...Array.from({ length: 10 }, () => undefined), false, true),
  leaves: fc.oneof({ weight: 7, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.nat(80) }),
  outage: fc.constantFrom(false, false, false, false, false, false, false, false, false, true),
};

const any = fc.record(anything);
export type Creation = typeof any extends fc.Arbitrary<infer Value> ? Value : never;

/** Anything; and what was asked before, where answers come out of a cache. */
export const creation: fc.Arbitrary<Creation> = fc.oneof(
  { weight: 3, arbitrary: any },
  {
    weight: 1,
    arbitrary: fc.record({
      ...anything,
      targets: fc.array(
        fc.record({
          provider: fc.constantFrom("chats", "claude", "native"),
          behaviour: fc.constant("answers" as const),
        }),
        { minLength: 1, maxLength: 1 },
      ),
      input: fc.constantFrom<Creation["input"]>(["text"]),
      instructions: fc.constant(false),
      caches: fc.constant(true),
    }),
  },
);

const unknown = "resp_00000000000000000000000000000000";
let texts = 0;

const picked = <One>(all: readonly One[], pick: number): One | undefined => all[pick % Math.max(1, all.length)];

/** A creation as it is asked for in the state of the world it is made in. */
export interface Asked extends Creation {
  readonly tenant: string;
  readonly body: Fields;
  readonly previous: string | undefined;
  readonly goesOnFrom: Kept | undefined;
  /** The input, with what it refers to. */
  readonly own: readonly Fields[];
  readonly items: readonly Fields[];
  readonly refersToUnknown: boolean;
}

function previousOf({ model }: World, tenant: string, { from, pick }: Creation): string | undefined {
  if (from === "own") return picked(model.of(tenant), pick)?.id;
  if (from === "any") return picked(model.seen, pick);
  return from === "unknown" ? unknown : undefined;
}

export function asking(world: World, one: Creation): Asked {
  const tenant = world.tenant(one.who);
  const previous = previousOf(world, tenant, one);
  const goesOnFrom = world.model.find(tenant, previous);
  const before = goesOnFrom ? chainOf(goesOnFrom) : [];
  const wire: Fields[] = [];
  const own: Fields[] = [];
  let refersToUnknown = false;
  const add = (item: Fields, meant = item) => {
    wire.push(item);
    own.push(meant);
  };
  const refer = (item: Fields | undefined) => {
    if (item && [...before, ...own].includes(item)) return;
    const id = item?.id ?? "msg_00000000000000000000000000000000_0";
    // What a vendor with a memory said is known by that vendor's ids, to nobody but that vendor.
    const isKnown = item && !`${id}`.includes("resp_of_vendor") && world.model.item(tenant, id) === item;
    refersToUnknown ||= !isKnown;
    add({ type: "item_reference", id }, isKnown ? item : { type: "item_reference", id });
  };
  for (const kind of one.input) {
    const text = one.caches ? kind : `${kind} ${++texts}`;
    if (kind === "text") add({ role: "user", content: text });
    else if (kind === "system") add({ type: "message", role: "system", content: [{ type: "input_text", text }] });
    else if (kind === "said") add({ role: "assistant", content: text });
    else if (kind === "again") {
      const said = picked(goesOnFrom ? chainOf(goesOnFrom).filter(({ type }) => type === "message") : [], one.pick);
      if (said) add(said);
    } else if (kind === "reference" || kind === "stranger") {
      const whose = kind === "reference" ? tenant : world.tenant(one.who === 2 ? 0 : 2);
      refer(
        picked(
          world.model.of(whose).flatMap((kept) => kept.response.output as Fields[]),
          one.pick,
        ),
      );
    } else {
      const open = openCalls([...before, ...own]);
      for (const call of kind === "result" ? open.slice(-1) : open)
        add({ type: "function_call_output", call_id: call.call_id, output: text });
    }
  }
  if (wire.length === 0) add({ role: "user", content: one.caches ? "text" : `text ${++texts}` });
  const [only] = wire;
  const isText = wire.length === 1 && only?.role === "user" && one.pick % 2 === 0;
  const body = {
    model: "asked",
    input: isText ? only.content : wire,
    ...(one.stream && { stream: true }),
    ...(one.store !== undefined && { store: one.store }),
    ...(previous !== undefined && { previous_response_id: previous }),
    ...(one.instructions && { instructions: one.caches ? "Be." : `Be ${texts}.` }),
    ...(one.background !== undefined && { background: one.background }),
  };
  return { ...one, tenant, body, previous, goesOnFrom, own, items: [...before, ...own], refersToUnknown };
}

const leafOf =
  (caches: boolean) =>
  ({ provider, behaviour }: Creation["targets"][number]) => ({
    provider: `@${provider}`,
    override_params: { model: behaviour },
    ...(caches && { cache: { mode: "simple" } }),
  });

export const configOf = ({ targets, mode, caches }: Creation): Fields => {
  const [only] = targets;
  const leaf = leafOf(caches);
  if (targets.length === 1 && only) return leaf(only);
  return { strategy: mode === "hedge" ? { mode, delay: 0 } : { mode }, targets: targets.map(leaf) };
};
