import { type Format, GatewayError } from "../../core/index.ts";
import { everything } from "./everything.ts";

/** What a request of one format loses on its way into another. */
export interface Loss {
  readonly client: string;
  readonly upstream: string;
  /** Public names of fields, sorted. */
  readonly fields: readonly string[];
}

/** What is lost between every two of these formats, found out by translating a request with everything in it. */
export function losses(formats: readonly Format<"chat">[]): Loss[] {
  return formats.flatMap((client) =>
    formats
      .filter((upstream) => upstream !== client)
      .map((upstream) => ({ client: client.name, upstream: upstream.name, fields: lostBetween(client, upstream) })),
  );
}

/** Said where a vendor does not fetch anything: such a request is refused, never changed. */
const refusesUrls = "media by URL (refused)";

function lostBetween(client: Format<"chat">, upstream: Format<"chat">): string[] {
  const asked = everything[client.name];
  if (!asked) throw new Error(`test/conformance/everything.ts has no request of ${client.name}`);
  try {
    return lostOf(asked, client, upstream);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return [...lostOf(withoutUrls(asked), client, upstream), refusesUrls];
  }
}

function lostOf(asked: unknown, client: Format<"chat">, upstream: Format<"chat">): string[] {
  const lost = new Set<string>();
  upstream.encodeRequest(client.decodeRequest(asked), (name) => lost.add(name));
  return [...lost].sort();
}

/** The same without the parts that name something to fetch. */
function withoutUrls(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => !namesUrl(item)).map(withoutUrls);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutUrls(inner)]));
}

/** Whether a part names one itself, and not in a list inside it. */
const namesUrl = (part: unknown): boolean =>
  JSON.stringify(part, (_, value: unknown) => (Array.isArray(value) ? [] : value)).includes("https://example.com/");

const start = "<!-- losses:start -->";
const end = "<!-- losses:end -->";

/** The page with the table in it renewed. */
export function withLosses(page: string, found: readonly Loss[]): string {
  const [before] = page.split(start);
  const [, after] = page.split(end);
  if (before === undefined || after === undefined) throw new Error("docs/formats.md lacks its marks");
  return `${before}${start}\n\n${matrix(found)}\n\n${details(found)}\n\n${end}${after}`;
}

function matrix(found: readonly Loss[]): string {
  const names = [...new Set(found.map(({ client }) => client))];
  const cell = (client: string, upstream: string) => {
    const loss = found.find((one) => one.client === client && one.upstream === upstream);
    if (!loss) return "bytes";
    return loss.fields.length === 0 ? "✔" : String(loss.fields.length);
  };
  const rows = [
    ["client \\ provider", ...names],
    ...names.map((client) => [client, ...names.map((upstream) => cell(client, upstream))]),
  ];
  return tableOf(rows);
}

const details = (found: readonly Loss[]): string =>
  tableOf([
    ["client", "provider", "what cannot be carried"],
    ...found.map(({ client, upstream, fields }) => [
      client,
      upstream,
      fields.length === 0 ? "✔" : fields.map((name) => (name === refusesUrls ? name : `\`${name}\``)).join(", "),
    ]),
  ]);

function tableOf(rows: readonly (readonly string[])[]): string {
  const [head = [], ...body] = rows;
  const lines = [head, head.map(() => "---"), ...body];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
