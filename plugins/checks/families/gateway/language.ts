import { CheckError, type CheckResult, defineCheck, excerptOf, z } from "../../../../core/index.ts";
import { askService, classified, hasService } from "../../hosted.ts";
import { languagesOf } from "../../language/detect.ts";
import { languages, sameAs } from "../../language/profiles.ts";

const code = z.string().regex(/^[a-z]{3}_[A-Z][a-z]{3}$/, "must be a language with its script, as in eng_Latn");

export default defineCheck({
  id: "gateway.language",
  summary: `Passes text in one of the languages. Without a service in the credentials, ${languages.length} languages are told apart by their scripts and frequent words.`,
  parameters: z.object({
    language: z.union([code, z.array(code).min(1)]).describe("Their codes (FLORES): `eng_Latn`."),
    not: z.boolean().default(false).describe("Whether it has to be another one instead."),
  }),
  targets: ["request"],
  measures: true,
  verdictOnError: true,
  needsText: true,
  run({ text }, { language, not }, tools) {
    const allowed = [language].flat();
    if (hasService(tools))
      return askService(tools, "/language", { input: text }, classified).then((analysis) =>
        resultOf(text, { allowed, not }, analysis),
      );
    const scores = languagesOf(text);
    if (scores.length === 0) throw new CheckError("The text says too little to tell its language.");
    return resultOf(text, { allowed, not }, [scores]);
  },
  table: {
    passes: [
      {
        parameters: { language: ["deu_Latn", "eng_Latn"] },
        text: "Could you tell me what the weather is like?",
        data: { detectedLanguage: "eng_Latn", allowedLanguages: ["deu_Latn", "eng_Latn"], not: false, verdict: true },
      },
      { parameters: { language: "jpn_Jpan" }, text: "この文章を英語に翻訳してください。" },
      { parameters: { language: "fas_Arab" }, text: "امروز هوا خیلی خوب است و ما به پارک می‌رویم." },
      { parameters: { language: "eng_Latn", not: true }, text: "Je ne sais pas si nous avons le temps." },
      { parameters: { language: "eng_Latn" }, text: "42", error: "too little" },
      { parameters: { language: "eng_Latn" }, text: "", error: "empty" },
      { parameters: { language: "eng_Latn" }, text: "42", ...answering("eng_Latn") },
    ],
    fails: [
      {
        parameters: { language: "eng_Latn" },
        text: "Je ne sais pas si nous avons le temps.",
        data: { detectedLanguage: "fra_Latn" },
      },
      { parameters: { language: "eng_Latn", not: true }, text: "What is the time?" },
      { parameters: { language: "eng_Latn" }, text: "42", ...answering("fra_Latn") },
      {
        parameters: { language: "eng_Latn" },
        text: "42",
        ...answering(""),
        asks: [{ silent: true }],
        error: "timed out",
      },
    ],
  },
});

interface Asked {
  readonly allowed: readonly string[];
  readonly not: boolean;
}

function resultOf(text: string, { allowed, not }: Asked, analysis: z.output<typeof classified>): CheckResult {
  const detectedLanguage = analysis[0]?.[0]?.label ?? "";
  const verdict =
    allowed.some((one) => (sameAs[one] ?? one) === (sameAs[detectedLanguage] ?? detectedLanguage)) !== not;
  const explanation = `The text is in ${detectedLanguage}.`;
  const data = { verdict, not, explanation, analysis, detectedLanguage, allowedLanguages: allowed };
  return { verdict, data: { ...data, textExcerpt: excerptOf(text) } };
}

function answering(label: string) {
  return {
    credentials: { baseURL: "https://guard.example/v1", apiKey: "k" },
    asks: [{ url: "https://guard.example/v1/language", body: { input: "42" }, answer: [[{ label, score: 0.9 }]] }],
  };
}
