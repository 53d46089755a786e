import { z } from "zod";
import { type ConfigNode, type ConfigProblem, raise, type Strategy, type Walk } from "../../core/index.ts";
import { type Condition, compileCondition } from "./condition.ts";
import { factsOf } from "./facts.ts";

const schema = z.object({
  // What is wrong inside is found by compiling: in an inline config it only counts once it is reached.
  conditions: z
    .array(z.unknown())
    .optional()
    .describe("`{query, then}` or `{json_logic, then}`; the first that holds decides. `then` names a target."),
  default: z.string().optional().describe("The name of the target for requests no condition holds for."),
});

type Options = z.output<typeof schema>;

const compileAll = ({ conditions = [] }: Options): Condition[] =>
  conditions.map((condition, at) => compileCondition(condition, `strategy.conditions.${at}`));

export const conditionalStrategy: Strategy = {
  mode: "conditional",
  schema,
  check(options, children) {
    const { conditions, default: otherwise } = options as Options;
    const problems: ConfigProblem[] = [];
    if (!conditions?.length) problems.push({ path: "strategy.conditions", message: "required" });
    for (const [at, { target, mistakes, unknown }] of compileAll(options as Options).entries()) {
      const path = `strategy.conditions.${at}`;
      problems.push(
        ...mistakes.map(plain),
        ...unknown.map((key) => ({ path: `${path}.${key}`, message: "is not known" })),
      );
      problems.push(...unknownTarget(target, `${path}.then`, children));
    }
    return [...problems, ...unknownTarget(otherwise, "strategy.default", children), ...doubledNames(children)];
  },
  compile(options, children, group) {
    const { default: otherwise } = options as Options;
    const conditions = compileAll(options as Options);
    const named = new Map(children.map((child) => [child.node.name, child] as const).reverse());
    return function* (walk) {
      const name = chosen(conditions, otherwise, group, walk);
      const child = (typeof name === "string" && named.get(name)) || noTarget(name);
      return yield* child.route(walk);
    };
  },
};

/** What the first condition that holds leads to, else the default. */
function chosen(
  conditions: readonly Condition[],
  otherwise: string | undefined,
  group: ConfigNode,
  walk: Walk,
): unknown {
  if (conditions.length === 0) raise("config_invalid", "A conditional strategy needs conditions.", where("conditions"));
  const facts = factsOf(walk.exchange);
  const at = conditions.findIndex((condition) => condition.holds(facts));
  const name = at < 0 ? otherwise : conditions[at]?.target;
  walk.note(group.path, at < 0 ? `no condition holds: ${name ?? "no default"}` : `condition ${at} holds: ${name}`);
  if (at < 0 && otherwise === undefined)
    raise("config_invalid", "No condition holds, and there is no default.", where("default"));
  return name;
}

const where = (field: string) => ({ param: `strategy.${field}` });

const noTarget = (name: unknown): never =>
  raise("config_invalid", `The conditional strategy leads to ${JSON.stringify(name)}, but no target has that name.`, {
    param: "strategy.conditions",
  });

const plain = ({ path, message }: ConfigProblem): ConfigProblem => ({ path, message });

function unknownTarget(name: unknown, path: string, children: readonly ConfigNode[]): ConfigProblem[] {
  if (name === undefined) return [{ path, message: "required" }];
  if (typeof name === "string" && children.some((child) => child.name === name)) return [];
  return [{ path, message: `names no target: ${JSON.stringify(name)}` }];
}

/** Names lead somewhere only as long as they are unique. */
const doubledNames = (children: readonly ConfigNode[]): ConfigProblem[] =>
  children.flatMap(({ name }, at) =>
    name !== undefined && children.findIndex((child) => child.name === name) < at
      ? [{ path: `targets.${at}.name`, message: `is the name of another target: ${name}` }]
      : [],
  );
