import { CheckError, fieldsIn, type GatewayRequest, isRecord } from "../../../core/index.ts";

/** The model as checks see it: as the client wrote it, with the provider in front (`@slug/model`). */
function seenModel({ bytes, json }: GatewayRequest): string | undefined {
  const { model } = fieldsIn(bytes && json);
  return typeof model === "string" ? model : undefined;
}

/** A model that is not named anew stays. */
export function withModel(json: unknown, request: GatewayRequest): unknown {
  const model = seenModel(request) ?? request.model;
  return isRecord(json) && !json.model && model !== undefined ? Object.assign({}, json, { model }) : json;
}

/**
 * The model to ask for where a check has written one as it sees it. `slug` is the provider that the request goes to: it was chosen before,
 * so a model of another one is a mistake of the check.
 */
export function routedModel(written: string, request: GatewayRequest, slug: string | undefined): string {
  const { model } = request;
  const seen = seenModel(request);
  if (model === undefined || written === model) return written;
  if (written === seen) return model;
  const before = seen?.endsWith(`/${model}`) ? seen.slice(0, -model.length) : "";
  if (written.startsWith(before) && before !== "") return written.slice(before.length);
  const [, named, rest] = /^@([^/]+)\/(.+)$/.exec(written) ?? [];
  // Some vendors call their models so.
  if (named === undefined || rest === undefined || model.startsWith("@")) return written;
  if (named === slug) return rest;
  throw new CheckError(
    `The check names the model "${written}", and the request goes to "@${slug}": it stays as it was.`,
    {
      label: "OtherProvider",
    },
  );
}
