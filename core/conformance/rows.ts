import type { Endpoint } from "../model/endpoint.ts";
import type { Format } from "../model/format.ts";
import type { OperationSpec } from "../model/operation-spec.ts";
import type { OperationName } from "../model/operations.ts";
import { chosenOperation } from "../pipeline/attempt/chosen-operation.ts";
import type { Deployment } from "./deployment.ts";

/** A way to ask the provider, before it is tried. */
export interface Plan {
  readonly operation: OperationName;
  readonly spec: OperationSpec;
  readonly format: Format;
  readonly client: Format;
  readonly clientPath: string;
  /** Absent where none is known that the vendor is asked for in this format. */
  readonly model: string | undefined;
}

interface ClientPlace {
  readonly client: Format;
  readonly clientPath: string;
}

/**
 * Each operation in each format the provider speaks, by a client of the same format, or where clients have none of it, of
 * another one; and the first format of each operation by a client of another one. A dialect is for its own clients, who are none of
 * another format. Of `models`, the first that is asked in this format counts.
 */
export function plansFor(deployment: Deployment, models: readonly string[]): Plan[] {
  return Object.entries(deployment.provider.operations).flatMap(([name, specs]) => {
    const operation = name as OperationName;
    const clients = clientsOf(deployment, operation);
    const spoken = specs.map(({ format }) => format);
    const other = clients.find(({ client }) => !spoken.includes(client.dialectOf ?? client.name));
    return specs.flatMap((spec, index) => {
      const format = deployment.formats.get(spec.format);
      if (!format || isForNoModel(spec, specs)) return [];
      const same = clients.find(({ client }) => client === format);
      const wantsOther = format.dialectOf === undefined && (index === 0 || !same);
      const places = [same, wantsOther ? other : undefined].filter((place) => place !== undefined);
      return places.map((place) => ({
        operation,
        spec,
        format,
        ...place,
        model: models.find((model) => chosenOperation(specs, { format: place.client.name, model }) === spec),
      }));
    });
  });
}

/** Whether it is there for requests that name no model, beside one in the same format for those that do. */
const isForNoModel = ({ defaultModel, format }: OperationSpec, specs: readonly OperationSpec[]): boolean =>
  defaultModel === "" && specs.some((other) => other.format === format && other.defaultModel !== "");

/** The formats clients may speak for an operation, in the order of the endpoints. */
function clientsOf({ endpoints, formats }: Deployment, operation: OperationName): ClientPlace[] {
  const places = new Map<string, ClientPlace>();
  for (const endpoint of endpoints) {
    const client = formats.get(endpoint.format ?? "");
    if (endpoint.operation !== operation || !client || places.has(client.name) || !canCall(endpoint, client)) continue;
    places.set(client.name, { client, clientPath: endpoint.path });
  }
  return [...places.values()];
}

/** Lists of JSON are cut by nobody but their clients; a path with a model in it has to be known to the format. */
const canCall = ({ path }: Endpoint, { framing, readUrl, upstream }: Format): boolean =>
  framing !== "json-list" && (readUrl ? typeof upstream?.path === "function" : !/[:*]/.test(path));
