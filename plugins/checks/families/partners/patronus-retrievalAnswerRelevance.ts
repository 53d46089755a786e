import { patronusJudge } from "../../partners/patronus.ts";

export default patronusJudge({
  name: "retrievalAnswerRelevance",
  passes: "that are to the point",
  evaluator: "answer-relevance",
});
