/** Fields of the config object that other plugins own (routing-config.md section 2): they may not be ignored silently. */
export const fieldsOfOthers: ReadonlySet<string> = new Set([
  "retry",
  "cache",
  "cb_config",
  "before_request_hooks",
  "after_request_hooks",
  "input_guardrails",
  "output_guardrails",
  "input_mutators",
  "output_mutators",
  "prompt_id",
  "fetch_integrated_models",
]);

/** The modes there are, in the order of the reference, whoever provides them. */
export const modes: readonly string[] = ["single", "loadbalance", "fallback", "conditional"];

/** What may stand in a strategy of a mode, besides the mode. */
export const strategyFields: Readonly<Record<string, readonly string[]>> = {
  single: [],
  loadbalance: ["sticky"],
  fallback: ["on_status_codes"],
  conditional: ["conditions", "default"],
};

const providerField =
  /^(?:(?:azure|aws|amzn|vertex|openai|anthropic|workers_ai|huggingface|stability|fireworks|snowflake|oracle|databricks|mistral|byteplus)_[a-z0-9_]+|resource_name|deployment_id|api_version|deployments)$/;

/** Whether a field sounds like an option of some vendor: which one is only known with the request. */
export const mayBeProviderField = (name: string): boolean => providerField.test(name);
