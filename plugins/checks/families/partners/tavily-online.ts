import { compact, defineCheck, z } from "../../../../core/index.ts";
import { answerAs } from "../../answer-as.ts";
import { credentialsOf } from "../../credentials.ts";
import { piecesOf } from "../../partners/pieces.ts";
import { chatOfTexts, prefix, suffix, withFound } from "../../partners/search-context.ts";

const answer = z.looseObject({
  results: z.array(
    z.looseObject({
      title: z.string().nullish(),
      url: z.string(),
      content: z.string().nullish(),
      published_date: z.string().nullish(),
    }),
  ),
});

/** The characters of what is looked for. What is longer is a 400. */
const longest = 400;

const flag = z.boolean().optional();
const date = z.string().optional();

/** What Tavily takes; it is sent in snake case. */
const search = {
  maxResults: z.int().min(0).default(5).describe("How many pages at most."),
  searchDepth: z.enum(["advanced", "basic", "fast", "ultra-fast"]).optional().describe("How thoroughly is searched."),
  chunksPerSource: z.int().min(1).default(3).describe("How many pieces of a page at most."),
  topic: z.enum(["general", "news", "finance"]).optional().describe("What kind of pages."),
  timeRange: z.string().optional().describe("How old pages may be: day, week, month, year."),
  startDate: date.describe("No pages before this day (2026-01-31)."),
  endDate: date.describe("No pages after this day."),
  includeAnswer: z.union([z.boolean(), z.string()]).optional().describe("Whether Tavily also answers by itself."),
  includeRawContent: z.union([z.boolean(), z.string()]).optional().describe("Whether it sends whole pages."),
  includeImages: flag.describe("Whether it sends pictures."),
  includeImageDescriptions: flag.describe("Whether it describes them."),
  includeFavicon: flag.describe("Whether it sends the sites' icons."),
  includeDomains: z.array(z.string()).optional().describe("Only pages of these hosts."),
  excludeDomains: z.array(z.string()).optional().describe("No pages of these hosts."),
  country: z.string().optional().describe("Pages of this country first."),
  autoParameters: flag.describe("Whether Tavily chooses what is not said here."),
  exactMatch: flag.describe("Whether pages have to hold quoted words as they are."),
  includeUsage: flag.describe("Whether it says what the search cost."),
  safeSearch: flag.describe("Whether pages for adults are left out."),
};

const inSnakeCase = (given: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(compact(given)).map(([name, value]) => [
      name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`),
      value,
    ]),
  );

const credentials = { apiKey: "k" };
const page = { title: "Rivers", url: "https://r.example", content: "Ebro" };
const block = '\n<web_search_context>\n[1] "Rivers"\nURL: https://r.example\nEbro\n</web_search_context>';

export default defineCheck({
  id: "tavily.online",
  summary: "Passes every request, with what Tavily finds on the web for it, or for its first 400 characters, added.",
  parameters: z.object({ prefix, suffix, ...search }),
  targets: ["request"],
  verdictOnError: true,
  needsText: true,
  async run(input, { prefix, suffix, ...given }, tools) {
    const { apiKey } = credentialsOf(tools, { apiKey: z.string().min(1) });
    const known = Object.fromEntries(Object.entries(given).filter(([name]) => Object.hasOwn(search, name)));
    const { json } = await tools.ask({
      url: "https://api.tavily.com/search",
      headers: { ...tools.forwarded, authorization: `Bearer ${apiKey}` },
      body: { query: piecesOf(input.text, longest)[0], ...inSnakeCase(known) },
      timeout: 30_000,
      mostBytes: 8 * 1024 * 1024,
    });
    const data = answerAs(answer, json);
    const found = data.results.map(({ title, url, content, published_date }) => ({
      title: title ?? url,
      url,
      date: published_date ?? undefined,
      text: content ?? "",
    }));
    return { ...withFound(input, { prefix, suffix }, found), data };
  },
  table: {
    passes: [
      {
        parameters: { searchDepth: "ultra-fast", includeDomains: ["r.example"], exactMatch: true },
        text: "rivers?",
        credentials,
        subject: { body: chatOfTexts("rivers?") },
        asks: [
          {
            url: "https://api.tavily.com/search",
            headers: { authorization: "Bearer k" },
            body: {
              query: "rivers?",
              max_results: 5,
              search_depth: "ultra-fast",
              chunks_per_source: 3,
              include_domains: ["r.example"],
              exact_match: true,
            },
            answer: { results: [page], response_time: 1 },
          },
        ],
        body: chatOfTexts("rivers?", block),
        data: { results: [page], response_time: 1 },
      },
      {
        text: "rivers?",
        credentials,
        subject: { requestType: "complete", body: { model: "m", stream: false, prompt: "rivers?" } },
        asks: [{ answer: { results: [page] } }],
        body: { model: "m", stream: false, prompt: `${block}\nrivers?` },
      },
      {
        text: `rivers? ${"x".repeat(300)} ${"y".repeat(300)}`,
        credentials,
        subject: { body: chatOfTexts("rivers?") },
        asks: [{ body: { query: `rivers? ${"x".repeat(300)} ` }, answer: { results: [page] } }],
        body: chatOfTexts("rivers?", block),
      },
      {
        text: "x",
        credentials,
        subject: { requestType: "complete", body: { model: "m", stream: false, prompt: [1, 2] } },
        asks: [{ answer: { results: [page] } }],
        error: "token ids",
      },
      { text: "x", subject: { body: chatOfTexts("x") }, error: "apiKey" },
      { text: "x", credentials, asks: [{ silent: true }], error: "timed out" },
      { text: "x", credentials, asks: [{ answer: { results: null } }], error: "results" },
    ],
    fails: [],
  },
});
