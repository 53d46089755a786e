import { CheckError, type CheckResult, defineCheck, excerptOf, redactedTexts, z } from "../../../../core/index.ts";
import { askService, hasService } from "../../hosted.ts";
import { personal } from "../../pii/personal.ts";
import { numbering } from "../../pii/recogniser.ts";

const categories = [
  ...["EMAIL_ADDRESS", "PHONE_NUMBER", "LOCATION_ADDRESS", "NAME", "IP_ADDRESS", "CREDIT_CARD", "SSN", "IBAN"],
] as const;
/** Have no form that could be looked for here. */
const serviceOnly: ReadonlySet<string> = new Set(["LOCATION_ADDRESS", "NAME"]);

const answer = z.array(
  z.object({
    entities: z.array(z.object({ text: z.string(), labels: z.record(z.string(), z.number()) })),
    processed_text: z.string(),
  }),
);

interface Asked {
  readonly categories: readonly string[];
  readonly redact: boolean;
  readonly not: boolean;
}

const recognisersFor = (asked: readonly string[]) => personal.filter(({ kind }) => asked.includes(kind));

export default defineCheck({
  id: "gateway.pii",
  summary: "Passes text without personal data of the categories, or, with redact, replaces them by numbered tokens.",
  parameters: z.object({
    categories: z
      .array(z.enum(categories))
      .min(1)
      .describe("Which ones. NAME and LOCATION_ADDRESS are found by a service only, which the credentials name."),
    redact: z.boolean().default(false).describe("Whether they are replaced and pass: `{{EMAIL_ADDRESS_1}}`."),
    not: z.boolean().default(false).describe("Whether there have to be some instead."),
  }),
  verdictOnError: true,
  needsText: true,
  // What only a service finds makes a stream wait for it; the rest is found while it passes.
  redactor: ({ categories, redact }) =>
    redact && !categories.some((category) => serviceOnly.has(category))
      ? numbering(recognisersFor(categories))
      : undefined,
  run({ texts, text, subject }, parameters, tools) {
    if (parameters.redact && subject?.requestType === "embed")
      throw new CheckError("Redaction is not supported for embeddings.");
    if (hasService(tools)) {
      const { categories } = parameters;
      return askService(tools, "/pii", { input: texts, categories }, answer).then((found) => {
        const kinds = found.flatMap(({ entities }) => entities.flatMap(({ labels }) => Object.keys(labels)));
        const replaced = texts.map((one, at) =>
          (found[at]?.entities.length ?? 0) > 0 && one !== "" ? (found[at]?.processed_text ?? null) : null,
        );
        return resultOf(text, parameters, kinds, replaced, []);
      });
    }
    const recognisers = recognisersFor(parameters.categories);
    const notLookedFor = parameters.categories.filter((category) => serviceOnly.has(category));
    if (recognisers.length === 0)
      throw new CheckError(
        `Without a service, ${notLookedFor.join(" and ")} cannot be found; name one in the credentials (baseURL).`,
      );
    const counting = numbering(recognisers);
    const { texts: replaced, found } = redactedTexts(texts, () => counting);
    return resultOf(
      text,
      parameters,
      found.map(({ kind }) => kind),
      replaced,
      notLookedFor,
    );
  },
  table: {
    passes: [
      {
        parameters: { categories: ["SSN"] },
        text: "mail a@b.example",
        data: { detectedCategories: [], verdict: true },
      },
      {
        parameters: { categories: ["EMAIL_ADDRESS", "SSN"], redact: true },
        texts: ["a@b.example, c@d.example, a@b.example", "", "c@d.example 123-45-6789", "none"],
        becomes: [
          "{{EMAIL_ADDRESS_1}}, {{EMAIL_ADDRESS_2}}, {{EMAIL_ADDRESS_1}}",
          null,
          "{{EMAIL_ADDRESS_2}} {{SSN_1}}",
          null,
        ],
        data: {
          detectedCategories: ["EMAIL_ADDRESS", "SSN"],
          restrictedCategories: ["EMAIL_ADDRESS", "SSN"],
          textExcerpt: "",
        },
      },
      { parameters: { categories: ["IBAN"], not: true }, text: "DE89 3704 0044 0532 0130 00" },
      { parameters: { categories: ["NAME"] }, text: "Ann", error: "Without a service, NAME" },
      { parameters: { categories: ["NAME", "SSN"] }, text: "Ann", data: { notLookedFor: ["NAME"] } },
      {
        parameters: { categories: ["SSN"], redact: true },
        text: "x",
        subject: { requestType: "embed" },
        error: "embeddings",
      },
      { parameters: { categories: ["SSN"] }, text: "", error: "empty" },
      {
        parameters: { categories: ["NAME"], redact: true },
        texts: ["Ann", "no"],
        credentials: { baseURL: "https://pii.example/v1", apiKey: "k" },
        asks: [
          {
            url: "https://pii.example/v1/pii",
            headers: { "x-gateway-api-key": "k" },
            body: { input: ["Ann", "no"], categories: ["NAME"] },
            answer: [
              { entities: [{ text: "Ann", labels: { NAME: 0.9 } }], processed_text: "{{NAME_1}}" },
              { entities: [], processed_text: "no" },
            ],
          },
        ],
        becomes: ["{{NAME_1}}", null],
      },
    ],
    fails: [
      {
        parameters: { categories: ["CREDIT_CARD"] },
        text: "4111 1111 1111 1111",
        data: { detectedCategories: ["CREDIT_CARD"] },
      },
      { parameters: { categories: ["PHONE_NUMBER"], not: true }, text: "none" },
      { parameters: { categories: ["SSN"] }, text: "x", ...failing(), error: "500" },
    ],
  },
});

function resultOf(
  text: string,
  { categories, redact, not }: Asked,
  kinds: readonly string[],
  replaced: readonly (string | null)[],
  notLookedFor: readonly string[],
): CheckResult {
  const detectedCategories = [...new Set(kinds)].filter((kind) => categories.includes(kind));
  const found = detectedCategories.length > 0;
  const verdict = (redact && found) || !found !== not;
  const explanation = found
    ? `Found${redact ? " and replaced" : ""}: ${detectedCategories.join(", ")}.`
    : "Nothing was found.";
  return {
    verdict,
    data: {
      ...{ verdict, not, explanation, restrictedCategories: categories, detectedCategories },
      ...(notLookedFor.length > 0 && { notLookedFor }),
      // What was to be taken out has no place in the record either.
      textExcerpt: found ? "" : excerptOf(text),
    },
    ...(redact && found && { texts: replaced }),
  };
}

function failing() {
  return { credentials: { baseURL: "https://pii.example", apiKey: "k" }, asks: [{ status: 500 }] };
}
