import { didYouMean, type Strategy } from "../../../core/index.ts";
import { foundThere } from "./found.ts";
import { modes, strategyFields } from "./known-fields.ts";
import type { ReadContext } from "./node.ts";
import { type Path, type Problem, readWith, unknownKey } from "./problems.ts";
import { isMap } from "./spelling.ts";
import { strategyCall } from "./strategy-call.ts";

interface Written {
  readonly strategy: unknown;
  readonly targets: unknown;
  /** Of the node the strategy stands in. What it says for the whole node is added to them. */
  readonly fields: Record<string, unknown>;
  readonly path: Path;
  readonly place: string;
}

interface Chosen {
  readonly strategy: Strategy;
  readonly options: Readonly<Record<string, unknown>>;
}

/** How a group chooses among its targets. Targets alone are taken as mode `single`. */
export function readStrategy(written: Written, context: ReadContext, problems: Problem[]): Chosen | undefined {
  const { targets, path } = written;
  if (written.strategy === undefined && targets === undefined) return undefined;
  const value = written.strategy ?? { mode: "single" };
  const here = [...path, "strategy"];
  if (!isMap(value)) {
    problems.push({ path: here, message: "must be an object", ...(!context.trusted && foundThere(value, false)) });
    return undefined;
  }
  if (targets === undefined) problems.push({ path: [...path, "targets"], message: "required" });
  const { mode, ...rest } = value;
  const strategy = typeof mode === "string" ? context.vocabulary.strategies.get(mode) : undefined;
  if (!strategy) {
    problems.push({
      path: [...here, "mode"],
      message: modeMessage(mode, context),
      ...(!context.trusted && foundThere(mode)),
    });
    return undefined;
  }
  const known = optionsOf(strategy, rest, written, context, problems);
  const position = { mode: strategy.mode, place: written.place, config: context.name };
  const read = strategyCall("schema", position, context.vocabulary, () =>
    readWith(strategy.schema, known, { path: here, saved: context.saved, shown: !context.trusted, problems }),
  );
  return read && { strategy, options: read.value as Chosen["options"] };
}

function modeMessage(mode: unknown, { vocabulary }: ReadContext): string {
  if (mode === undefined) return "required";
  if (typeof mode === "string" && modes.includes(mode)) return "no plugin that is loaded here provides this mode";
  const others = [...vocabulary.strategies.keys()].filter((one) => !modes.includes(one));
  const known = [...modes, ...others];
  return `must be one of ${known.join(", ")}${typeof mode === "string" ? didYouMean(mode, known) : ""}`;
}

/** What of a strategy is its own business: what stands there for the whole node goes there, what nobody knows away. */
function optionsOf(
  { mode, schema }: Strategy,
  rest: Readonly<Record<string, unknown>>,
  { fields, path }: Written,
  { vocabulary, saved, trusted }: ReadContext,
  problems: Problem[],
): Record<string, unknown> {
  const options: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(rest)) {
    const at = { path: [...path, "strategy", key], saved, shown: !trusted, problems };
    const field = key === "cb_config" ? vocabulary.fields.get(key) : undefined;
    if (key in schema.shape) options[key] = value;
    else if (field && fields[key] === undefined) fields[key] = readWith(field.schema, value, at)?.value;
    else if (!field && (key === "cb_config" || strategyFields[mode]?.includes(key)))
      problems.push({ path: at.path, message: "no plugin that is loaded here knows this field", isKey: true });
    else if (!field && saved)
      problems.push(unknownKey([...path, "strategy"], key, ["mode", ...Object.keys(schema.shape)]));
  }
  // The same list may stand beside the strategy; the one inside it counts.
  const { on_status_codes } = fields;
  if (on_status_codes !== undefined && "on_status_codes" in schema.shape) options.on_status_codes ??= on_status_codes;
  return options;
}
