import {
  awsCaller,
  awsDomain,
  awsDomainOf,
  awsOptions,
  defineProvider,
  raise,
  readAwsError,
  z,
} from "../core/provider-kit/index.ts";

const said = (what: string) => z.string().exactOptional().describe(what);

/** What an invocation says besides its body, each in a header of its own (providers.md section 9.12). */
const invocation = {
  customAttributes: said("What the model's container is told, as it is."),
  targetModel: said("Which of an endpoint's many models is asked."),
  targetVariant: said("Which of an endpoint's variants is asked."),
  targetContainerHostname: said("Which of an endpoint's containers is asked."),
  inferenceId: said("What the call is known by in captured data."),
  enableExplanations: said("Whether, or for what, the answer is explained."),
  inferenceComponent: said("Which of an endpoint's inference components is asked."),
  sessionId: said("The session a call belongs to."),
  modelName: said("The model a call is for."),
};

/** `targetModel` → `target-model`: the end of its header, at the gateway and at the vendor. */
const endOf = (option: string): string => option.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const names = Object.keys(invocation) as readonly (keyof typeof invocation)[];
const gatewayHeaders = Object.fromEntries(names.map((name) => [name, `amzn-sagemaker-${endOf(name)}`]));

const chats = "/openai/v1/chat/completions";

/**
 * Chats are asked at a path of their own, which takes no signatures (docs.aws.amazon.com, "Invoke endpoints with OpenAI-compatible APIs"):
 * "plain SigV4 is refused", as others found.
 */
const service = { name: "sagemaker", tokenAt: (path: string) => path.endsWith(chats) };
const caller = awsCaller(service);

export default defineProvider({
  name: "sagemaker",
  summary:
    "AWS SageMaker: models behind endpoints of your own: chat by the name of one, all else below /v1/endpoints/.",
  baseUrl: (options) => `https://runtime.sagemaker.${options.region}.${awsDomainOf(options)}`,
  options: z.strictObject({ ...awsOptions(service), domain: awsDomain, ...invocation }),
  ...caller,
  headerOptions: { ...caller.headerOptions, ...gatewayHeaders },
  authenticate: (options) => {
    const shown = caller.authenticate(options);
    if (!shown) return undefined;
    const headers: Record<string, string> = { ...shown };
    for (const name of names) {
      const value = options[name];
      if (value !== undefined) headers[`x-amzn-sagemaker-${endOf(name)}`] = value;
    }
    return headers;
  },
  modelBehind: (name, { modelName }) => modelName ?? name,
  // Chats name it in the path, and are refused with the header.
  headerFilters: { "x-amzn-sagemaker-inference-component": () => undefined },
  readError: readAwsError,
  operations: ({ inferenceComponent }) => ({
    chat: {
      format: "openai-chat",
      path: ({ model }) => chatPath(model, inferenceComponent),
      // The path says it all: containers do not know themselves by the names of endpoints, but by an empty one.
      model: () => "",
    },
  }),
});

/** A model is an endpoint, or one of its components: `my-endpoint/my-component`. */
function chatPath(model: string, usual: string | undefined): string {
  const [endpoint = "", component = usual, ...more] = model.split("/");
  if (!isName(endpoint) || (component !== undefined && !isName(component)) || more.length > 0)
    raise("invalid_request", `model is "${model}"; expected the name of an endpoint, or ENDPOINT/COMPONENT.`, {
      param: "model",
    });
  return `/endpoints/${endpoint}${component === undefined ? "" : `/inference-components/${component}`}${chats}`;
}

const isName = (text: string): boolean => /^[A-Za-z0-9](?:-*[A-Za-z0-9]){0,62}$/.test(text);
