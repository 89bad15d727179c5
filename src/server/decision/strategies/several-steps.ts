/** A message whose work has several steps that build on each other. */
const LISTED_STEP = /(?:^|\n)\s*(?:[-*•]|\d{1,2}[.)])\s+\S/g;
/** Words that name an order. */
const ORDER_WORDS =
	/(?<!\p{L})(?:then|after that|afterwards|next|finally|lastly|first|second|third|dann|danach|anschließend|zuerst|zunächst|zum schluss|schließlich|abschließend|erst|zweitens|drittens)(?!\p{L})/giu;
/** Work that is large by its nature, with what it is done to. */
const LARGE =
	/(?:^|[\s,;])(?:make|replace|write the|modernisiere?|ersetze?|mach|migrate|port|rewrite|redesign|re-?architect|modernize|set up|build|create|develop|implement|convert|migriere?|portiere?|schreibe? .{1,60} neu|überarbeite?|baue?|entwickle?|erstelle?|implementiere?|richte)(?!\p{L})/iu;
const WHOLE_SYSTEM =
	/(?<!\p{L})(?:from scratch|end[- ]to[- ]end|(?:the )?(?:whole|entire|complete) (?:checkout|client|api client|app|application|project|codebase|code base|repo(?:sitory)?|system|module|service|api|frontend|backend|code)|(?:including|with) (?:\p{L}+,? ){0,6}(?:tests?|docs|documentation)(?: and (?:docs|documentation|tests|ci))|von grund auf|(?:das|die|den|der|dem) (?:ganze|gesamte|komplette)[nrsm]? (?:app|anwendung|projekt|codebasis|system|modul|dienst|api|oberfläche|frontend|backend)|(?:der|dem) (?:ganzen|gesamten) (?:app|anwendung|codebasis)|(?:samt|einschließlich|inklusive|mit) (?:\p{L}+,? ){0,4}(?:tests?|doku(?:mentation)?) und (?:tests?|doku(?:mentation)?|ci))(?!\p{L})/iu;
/** A matter with its parts, the tests or the documents among them. */
const NAMED_PARTS =
	/(?:including|with|:|samt|mit) (?:[\p{L}-]+(?: [\p{L}-]+)?, ){1,5}(?:[\p{L}-]+ ){0,2}(?:and|und) (?:tests?|docs|documentation|doku|ci)(?!\p{L})/iu;
/** To think a matter through and to do it. */
const PLANNED =
	/^(?:please |bitte )?(?:plan(?:e)? .*(?:and carry|und führe)|(?:plan|design) and (?:carry out|implement|build))/iu;
const STEP_WORDS = 2;
const LIST_LINES = 3;

export function hasSeveralSteps(text: string): boolean {
	if ((text.match(LISTED_STEP)?.length ?? 0) >= LIST_LINES) {
		return true;
	}
	const order = new Set(Array.from(text.matchAll(ORDER_WORDS), ([word]) => word.toLowerCase()));
	return (
		order.size >= STEP_WORDS ||
		NAMED_PARTS.test(text) ||
		PLANNED.test(text) ||
		(LARGE.test(text) && WHOLE_SYSTEM.test(text))
	);
}
