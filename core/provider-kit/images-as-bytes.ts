import type { Rewrite } from "../model/operation-spec.ts";

/**
 * Models of the gpt-image family always answer with the image itself, whoever hosts them, and refuse to be asked for it
 * (providers.md section 5.2). Who asked for an address gets none. `modelOf` says what is behind the model of a body.
 */
export const imagesAsBytes = (modelOf: (name: string) => string = (name) => name): Rewrite => ({
  when: ['"response_format"'],
  apply(wire, report) {
    const { response_format: asked, ...rest } = wire;
    if (!alwaysBytes.test(modelOf(String(wire.model)))) return { ...wire };
    if (asked === "url") report?.("response_format");
    return rest;
  },
});

const alwaysBytes = /^(?:chatgpt|gpt)-image/;
