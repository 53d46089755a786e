import { imagesAsBytes, type OperationInputs } from "../../core/provider-kit/index.ts";
import { type DeploymentOptions, modelInBody } from "./deployments.ts";
import { callPath, deploymentNameInV1 } from "./paths.ts";

const offered = {
  image: ["openai-images", "/images/generations"],
  imageEdit: ["openai-image-edits", "/images/edits"],
  speech: ["openai-speech", "/audio/speech"],
  transcribe: ["openai-transcriptions", "/audio/transcriptions"],
  translate: ["openai-translations", "/audio/translations"],
} as const;

/** Images and sound: as at OpenAI, in deployments. */
export const mediaOf = (options: DeploymentOptions & { readonly modelName?: string }): OperationInputs =>
  Object.fromEntries(
    Object.entries(offered).map(([operation, [format, path]]) => [
      operation,
      {
        format,
        path: callPath(options, path),
        model: deploymentNameInV1(options),
        // What a request means that names none (providers.md section 10.4).
        ...(operation.startsWith("image") && { defaultModel: "dall-e-3" }),
        ...(operation === "image" && { rewrite: imagesAsBytes((name) => modelInBody(name, options)) }),
      },
    ]),
  );
