import { patronusJudge } from "../../partners/patronus.ts";

export default patronusJudge({ name: "toxicity", passes: "that are not toxic", evaluator: "toxicity" });
