/** A message whose work has several steps that build on each other. */
const LISTED = /(?:^|\n)\s*(?:[-*•]|\d{1,2}[.)])\s+\S/g;
/** Words that name an order. */
const ORDER =
	/(?<!\p{L})(?:then|after that|afterwards|next|finally|lastly|first|second|third|dann|danach|anschließend|zuerst|zunächst|zum schluss|schließlich|abschließend|erst|zweitens|drittens)(?!\p{L})/giu;
/** Work that is large by its nature, with what it is done to. */
const LARGE =
	/(?:^|[\s,;])(?:migrate|port|rewrite|redesign|re-?architect|modernize|set up|build|create|develop|implement|convert|migriere?|portiere?|schreibe? .{1,60} neu|überarbeite?|baue?|entwickle?|erstelle?|implementiere?|richte)(?!\p{L})/iu;
const WHOLE =
	/(?<!\p{L})(?:from scratch|end[- ]to[- ]end|(?:the )?(?:whole|entire|complete) (?:app|application|project|codebase|code base|repo(?:sitory)?|system|module|service|api|frontend|backend)|(?:including|with) (?:\p{L}+,? ){0,6}(?:tests?|docs|documentation)(?: and (?:docs|documentation|tests|ci))|von grund auf|(?:das|die|den|der|dem) (?:ganze|gesamte|komplette)[nrsm]? (?:app|anwendung|projekt|codebasis|system|modul|dienst|api|oberfläche)|(?:samt|einschließlich|inklusive|mit) (?:\p{L}+,? ){0,4}(?:tests?|doku(?:mentation)?) und (?:tests?|doku(?:mentation)?|ci))(?!\p{L})/iu;
const STEP_WORDS = 2;
const LIST_LINES = 3;

export function hasSeveralSteps(text: string): boolean {
	if ((text.match(LISTED)?.length ?? 0) >= LIST_LINES) {
		return true;
	}
	const order = new Set(Array.from(text.matchAll(ORDER), ([word]) => word.toLowerCase()));
	return order.size >= STEP_WORDS || (LARGE.test(text) && WHOLE.test(text));
}
