/** The name of this format: what `extra` made here carries. */
export const formatName = "openai-completions";
