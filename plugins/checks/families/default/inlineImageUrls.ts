import {
  type ChatRequest,
  CheckError,
  type CheckTools,
  defineCheck,
  imageTypeOf,
  inLanes,
  z,
} from "../../../../core/index.ts";
import { download } from "../../download.ts";
import { subjectOf } from "../../subject.ts";

type Source =
  | { readonly data: string; readonly mediaType: string; readonly bytes: number }
  | { readonly reason: string };

export default defineCheck({
  id: "default.inlineImageUrls",
  summary: "Puts the images that a request has links to into the request, for vendors that fetch none.",
  parameters: z.object({
    providers: z.array(z.string()).default([]).describe("Slugs of the providers it is done for; all where empty."),
    maxSizeBytes: z
      .int()
      .positive()
      .default(20_971_520)
      .describe("Bytes an image may have; all of a request together may have five times as many."),
    timeoutMs: z
      .number()
      .positive()
      .default(30_000)
      .describe("Milliseconds an image may take, and all of a request together."),
    failOnError: z.boolean().default(false).describe("Whether an image that cannot be had is a failure."),
  }),
  targets: ["request"],
  verdictOnError: true,
  async run(input, { providers, maxSizeBytes, timeoutMs, failOnError }, tools) {
    const { provider, request } = subjectOf(input);
    const { body } = request;
    const asked = body && "messages" in body && (providers.length === 0 || providers.includes(provider));
    const urls = asked ? [...new Set(imageUrls(body))] : [];
    if (!asked || urls.length === 0) return { verdict: true, data: { inlined: 0, skipped: 0, failures: [] } };
    const sources = await fetchImages(urls, tools, { maxSizeBytes, timeoutMs });
    const failures = urls.flatMap((url) => {
      const source = sources.get(url);
      return source && "reason" in source ? [{ url, reason: source.reason }] : [];
    });
    const data = { inlined: urls.length - failures.length, skipped: failures.length, failures };
    if (data.inlined === 0)
      throw new CheckError(`None of ${urls.length} images could be had: ${failures[0]?.reason}`, {
        data,
        verdict: !failOnError,
      });
    return { verdict: failures.length === 0 || !failOnError, data, body: inlined(body, sources) };
  },
  table: {
    passes: [
      {
        ...showing("https://a.example/x.png"),
        asks: [{ url: "https://a.example/x.png", bytes: "iVBORw0KGgo=" }],
        data: { inlined: 1, skipped: 0, failures: [] },
        body: withImages({ kind: "data", data: "iVBORw0KGgo=", mediaType: "image/png" }),
      },
      { ...showing("data:image/png;base64,AA"), data: { inlined: 0 } },
      { parameters: { providers: ["bedrock"] }, ...showing("https://a.example/x.png"), data: { inlined: 0 } },
      {
        ...showing("https://a.example/x.png", "https://b.example/y"),
        asks: [{ bytes: "R0lGODlh" }, { bytes: "PGh0bWw+" }],
        data: {
          inlined: 1,
          skipped: 1,
          failures: [{ url: "https://b.example/y", reason: "It is no image of a kind that is known." }],
        },
        body: withImages(
          { kind: "data", data: "R0lGODlh", mediaType: "image/gif" },
          { kind: "url", url: "https://b.example/y" },
        ),
      },
      {
        ...showing("https://a.example/x.png"),
        asks: [
          { status: 302, location: "/y.png" },
          { url: "https://a.example/y.png", status: 307, location: "https://b.example/z" },
          { url: "https://b.example/z", bytes: "iVBORw0KGgo=" },
        ],
        data: { inlined: 1 },
      },
      ...["http://a.example/x.png", "file:///etc/passwd", "https://[", undefined].map((location) => ({
        ...showing("https://a.example/x.png"),
        asks: [{ status: 302, ...(location !== undefined && { location }) }],
        error: location === undefined ? "status: 302" : "redirects to",
        data: { skipped: 1 },
      })),
      {
        ...showing("https://a.example/0"),
        asks: [1, 2, 3, 4, 5, 6].map((hop) => ({ status: 301, location: `/${hop}` })),
        error: "more than 5 times",
        data: { skipped: 1 },
      },
      {
        parameters: { maxSizeBytes: 1 },
        ...showing(...[1, 2, 3, 4, 5, 6].map((at) => `https://a.example/${at}`)),
        asks: [1, 2, 3, 4, 5].map(() => ({ bytes: "iVBORw0KGgo=" })),
        data: { inlined: 5, skipped: 1 },
      },
      { ...showing("https://a.example/x"), asks: [{ silent: true }], error: "timed out", data: { skipped: 1 } },
      { subject: { requestType: "embed", body: { model: "m", input: ["a"] } } },
    ],
    fails: [
      { parameters: { failOnError: true }, ...showing("https://a.example/x"), asks: [{ status: 404 }], error: "404" },
      {
        parameters: { failOnError: true },
        ...showing("https://a.example/x.png", "https://b.example/y"),
        asks: [{ bytes: "/9j/" }, { status: 403 }],
        data: { inlined: 1, skipped: 1 },
      },
    ],
  },
});

type Limits = { readonly maxSizeBytes: number; readonly timeoutMs: number };

/** Images that are fetched at a time, and how many of the largest size a request may have in all. */
const mostAtOnce = 5;

/** However many there are, they take no longer, and no more memory, than those that are fetched at a time. */
async function fetchImages(
  urls: readonly string[],
  tools: CheckTools,
  { maxSizeBytes, timeoutMs }: Limits,
): Promise<ReadonlyMap<string, Source>> {
  const sources = new Map<string, Source>();
  const most = maxSizeBytes * mostAtOnce;
  const until = tools.now() + timeoutMs;
  let bytes = 0;
  const reasonAgainst = (): string | undefined => {
    if (bytes >= most) return `The images before it have ${most} bytes, which is all they may have together.`;
    if (tools.now() >= until) return `The images before it took ${timeoutMs} ms, which is all they may take together.`;
    return undefined;
  };
  await inLanes(urls, mostAtOnce, async (url) => {
    const reason = reasonAgainst();
    const source = reason === undefined ? await fetchImage(url, tools, { mostBytes: maxSizeBytes, until }) : { reason };
    if ("data" in source) bytes += source.bytes;
    sources.set(url, source);
  });
  return sources;
}

type Bounds = { readonly mostBytes: number; readonly until: number };

async function fetchImage(url: string, tools: CheckTools, bounds: Bounds): Promise<Source> {
  try {
    const bytes = await download(url, tools, { headers: { accept: "image/*" }, ...bounds });
    const mediaType = imageTypeOf(bytes);
    if (mediaType === undefined) return { reason: "It is no image of a kind that is known." };
    return { data: Buffer.from(bytes).toString("base64"), mediaType, bytes: bytes.length };
  } catch (error) {
    if (error instanceof CheckError) return { reason: error.message };
    throw error;
  }
}

type Part = ChatRequest["messages"][number]["content"][number];

const urlOf = (part: Part): string[] =>
  part.type === "image" && part.source.kind === "url" && /^https?:/i.test(part.source.url) ? [part.source.url] : [];

const imageUrls = ({ messages }: ChatRequest): string[] =>
  messages.flatMap(({ content }) =>
    content.flatMap((part: Part) => (part.type === "tool-result" ? part.content.flatMap(urlOf) : urlOf(part))),
  );

function inlined(body: ChatRequest, sources: ReadonlyMap<string, Source | undefined>): ChatRequest {
  const replaced = <One extends Part>(part: One): One => {
    const [url] = urlOf(part);
    const source = url === undefined ? undefined : sources.get(url);
    if (!source || !("data" in source)) return part;
    const { data, mediaType } = source;
    return { ...part, source: { kind: "data", data, mediaType } };
  };
  const messages = body.messages.map((message) => ({
    ...message,
    content: message.content.map((part: Part) =>
      part.type === "tool-result" ? { ...part, content: part.content.map(replaced) } : replaced(part),
    ),
  }));
  return { ...body, messages: messages as ChatRequest["messages"] };
}

function withImages(...sources: ({ kind: "url"; url: string } | { kind: "data"; data: string; mediaType: string })[]) {
  const content = sources.map((source) => ({ type: "image" as const, source }));
  return { model: "m", stream: false, messages: [{ role: "user" as const, content }] };
}

function showing(...urls: string[]) {
  return { subject: { body: withImages(...urls.map((url) => ({ kind: "url" as const, url }))) } };
}
