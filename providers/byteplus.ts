import { z } from "zod";
import { defineProvider } from "../core/provider-kit/index.ts";

const hosts = { "ap-southeast-1": "ark.ap-southeast.bytepluses.com", "eu-west-1": "ark.eu-west.bytepluses.com" };
const region = z.enum(["ap-southeast-1", "eu-west-1"]).default("ap-southeast-1").describe("Where the endpoints are.");

export default defineProvider({
  name: "byteplus",
  summary: "BytePlus ModelArk: models by endpoint id (ep-…).",
  baseUrl: (options) => `https://${hosts[options.region]}/api/v3`,
  options: z.strictObject({ region }),
  headerOptions: { region: "byteplus-region" },
  operations: { chat: ["openai-chat", "openai-responses"], embed: "openai-embeddings", image: "openai-images" },
});
