/** Betas of what only the hosts of Claude's own maker have: other hosts refuse every request that names one. */
export const makersBetas =
  /^(?:files-api|skills|code-execution|mcp-client|mcp-servers|message-threads|web-fetch|advisor-tool|fast-mode)-/;

/** Betas that other hosts have by another name (platform.claude.com, "Tool search tool"). */
export const hostedBetas = { "advanced-tool-use-2025-11-20": "tool-search-tool-2025-10-19" } as const;
