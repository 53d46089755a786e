import { CheckError, type CheckTools, defineCheck, excerptOf, inLanes, z } from "../../../../core/index.ts";

const mostUrls = 50;
/** Addresses that are validated at a time (operations.md section 9.6). */
const mostAtOnce = 5;

export default defineCheck({
  id: "default.validUrls",
  summary: "Passes text all of whose links lead somewhere.",
  parameters: z.object({
    onlyDNS: z.boolean().default(false).describe("Whether it is enough that the host has an address."),
    not: z.boolean().default(false).describe("Whether some must lead nowhere instead."),
  }),
  targets: ["response"],
  measures: true,
  async run({ text }, { onlyDNS, not }, tools) {
    const urls = [...new Set(text.match(/https?:\/\/[^\s,"'{}[\]]+/g) ?? [])];
    const validationMethod = onlyDNS ? "DNS lookup" : "HTTP request";
    const textExcerpt = excerptOf(text);
    if (urls.length === 0) {
      const explanation = "There is no link in the text.";
      return { verdict: false, data: { explanation, urls, validationMethod, not, textExcerpt } };
    }
    if (urls.length > mostUrls)
      throw new CheckError(`The text has ${urls.length} links; ${mostUrls} are asked at most.`);
    const leads: boolean[] = [];
    await inLanes(urls, mostAtOnce, async (url, at) => {
      leads[at] = await (onlyDNS ? hasAddress(url, tools) : answers(url, tools));
    });
    const validUrls = urls.filter((_, at) => leads[at]);
    const invalidUrls = urls.filter((_, at) => !leads[at]);
    const verdict = (invalidUrls.length === 0) !== not;
    const explanation = `${validUrls.length} of ${urls.length} links lead somewhere.`;
    return { verdict, data: { verdict, not, explanation, validUrls, invalidUrls, validationMethod, textExcerpt } };
  },
  table: {
    passes: [
      {
        text: "See https://a.example/x, or http://b.example.",
        asks: [
          { url: "https://a.example/x", headers: { "user-agent": "URLValidator/1.0" } },
          { url: "http://b.example." },
        ],
        data: { validUrls: ["https://a.example/x", "http://b.example."], validationMethod: "HTTP request" },
      },
      {
        parameters: { onlyDNS: true },
        text: "https://a.example:8443/x",
        asks: [
          { url: "https://1.1.1.1/dns-query?name=a.example", answer: { Status: 0, Answer: [{ data: "192.0.2.1" }] } },
        ],
        data: { validationMethod: "DNS lookup" },
      },
      { parameters: { not: true }, text: "https://a.example", asks: [{ status: 404 }] },
    ],
    fails: [
      { text: "no link", data: { urls: [], validationMethod: "HTTP request" } },
      { parameters: { not: true }, text: "no link" },
      {
        text: "https://a.example and https://b.example",
        asks: [{}, { silent: true }],
        data: { validUrls: ["https://a.example"], invalidUrls: ["https://b.example"], verdict: false },
      },
      { parameters: { onlyDNS: true }, text: "https://a.example", asks: [{ answer: { Status: 3 } }] },
      { parameters: { onlyDNS: true }, text: "http://[", data: { urls: [] } },
      { parameters: { onlyDNS: true }, text: "http://%", asks: [], data: { invalidUrls: ["http://%"] } },
    ],
  },
});

const limits = { timeout: 3_000, found: true } as const;

/** Whether a 2xx comes. What may not be called leads nowhere. */
async function answers(url: string, tools: CheckTools): Promise<boolean> {
  const headers = { "user-agent": "URLValidator/1.0" };
  return settled(() => tools.ask({ method: "HEAD", url, headers, ...limits }));
}

const resolved = z.object({ Status: z.literal(0), Answer: z.array(z.unknown()).min(1) });

async function hasAddress(url: string, tools: CheckTools): Promise<boolean> {
  if (!URL.canParse(url)) return false;
  const resolver = `https://1.1.1.1/dns-query?name=${encodeURIComponent(new URL(url).hostname)}`;
  return settled(async () => {
    const { json } = await tools.ask({
      method: "GET",
      url: resolver,
      headers: { accept: "application/dns-json" },
      ...limits,
    });
    if (!resolved.safeParse(json).success) throw new CheckError("It has no address.");
  });
}

async function settled(asking: () => Promise<unknown>): Promise<boolean> {
  try {
    await asking();
    return true;
  } catch (error) {
    if (error instanceof CheckError) return false;
    throw error;
  }
}
