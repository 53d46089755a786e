/** Vendors of this chat format have OpenAI's other endpoints, too, as far as anybody knows: they decide. */
export const whoSpeaks = "openai-chat";

/**
 * Anthropic has files, and Google files and batches, at the same paths, and their own clients read them in their own words. What
 * each of these sends with every request, and the chat format of its vendor.
 */
export const foreign = { "anthropic-version": "anthropic-messages", "x-goog-api-key": "gemini" };
