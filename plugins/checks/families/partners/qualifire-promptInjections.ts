import { qualifire } from "../../partners/qualifire.ts";

export default qualifire({
  name: "promptInjections",
  passes: "requests without prompt injection",
  flag: "prompt_injections",
  targets: ["request"],
});
