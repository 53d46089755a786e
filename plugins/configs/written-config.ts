import {
  type ConfigProblem,
  type ConfigReference,
  GatewayError,
  keptWithCredentials,
  type ManagementService,
  notPutBack,
  type RoutingService,
  z,
} from "../../core/index.ts";

/** A config in a body: an object, or its JSON as text. */
export const configField = z.union([
  z.record(z.string(), z.unknown()),
  z.string().transform((text, context) => {
    try {
      return z.record(z.string(), z.unknown()).parse(JSON.parse(text));
    } catch {
      context.addIssue({ code: "custom", message: "must be an object, or the JSON of one as text" });
      return z.NEVER;
    }
  }),
]);

export interface WrittenParts {
  readonly routing: Pick<RoutingService, "check" | "hidden">;
  readonly management: Pick<ManagementService, "reference">;
}

export interface Place {
  readonly organisation: string;
  readonly workspace: string | undefined;
  /** The config that the new one replaces. */
  readonly before?: unknown;
}

/**
 * The config to keep of one that was sent: valid as one of the config file has to be, with everything it names in reach of
 * its workspace. Throws AB01, naming every mistake and the path of the first.
 */
export async function writtenConfig(sent: unknown, place: Place, { routing, management }: WrittenParts) {
  const { problems, references } = await routing.check(sent, place.before);
  const missing = await Promise.all(
    references.map(async (one) => ((await isThere(one, place, management)) ? [] : [missingProblem(one)])),
  );
  const mistakes = [...problems, ...missing.flat()];
  if (mistakes.length > 0) throw refusal(mistakes);
  return keptWithCredentials(routing.hidden(sent), routing.hidden(place.before), (path, why) => {
    throw refusal([{ path, message: notPutBack(why) }]);
  });
}

const isThere = async ({ kind, ref }: ConfigReference, { organisation, workspace }: Place, management: Finder) =>
  (await management.reference(kind, organisation, workspace, ref)) !== undefined;

type Finder = WrittenParts["management"];

const missingProblem = ({ kind, ref, path }: ConfigReference): ConfigProblem => ({
  path,
  message: `there is no "${ref}" among the ${kind} this workspace may use`,
});

/** Messages named in one text; all of them are among the errors. */
const most = 5;

function refusal(mistakes: readonly ConfigProblem[]): GatewayError {
  const lines = mistakes.map(
    ({ path, message, found }) => `${placeOf(path)}: ${message}${found === undefined ? "" : `; found ${found}`}`,
  );
  const more = lines.length > most ? `, and ${lines.length - most} more` : "";
  return new GatewayError("record_invalid", lines.slice(0, most).join("; ") + more, {
    param: placeOf(mistakes[0]?.path ?? ""),
    errors: mistakes.map(({ path, message }) => `path: ${placeOf(path)}, message: ${message}`),
  });
}

/** `targets.1.virtual_key` is `config.targets[1].virtual_key`. */
const placeOf = (path: string): string => `config${path === "" ? "" : "."}${path}`.replace(/\.(\d+)(?=\.|$)/g, "[$1]");
