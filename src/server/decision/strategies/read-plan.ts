/** The plan in a message that names its steps itself, in the form of goal.start. */
import { cutText } from '../../../base/text/cut-text.ts';

const MOST_PLAN_STEPS = 8;
const LEAST_STEPS = 2;
/** A sentence with an order is short; what is longer has more to it than its steps. */
const MOST_PLAN_SENTENCE_CHARS = 600;
const LEAST_STEP_CHARS = 5;
const PLAN_TITLE_CHARS = 120;
const PLAN_ITEM = /^\s*(?:[-*•]|\d{1,2}[.)])\s+(\S.*)$/;
/** Words between two steps, with what leads to them. */
const NEXT_STEP_WORDS =
	/(?:[,;.]?\s+(?:and|und)|[,;.])?\s*(?<!\p{L})(?:and then|then|after that|afterwards|finally|lastly|next|und dann|dann|danach|anschließend|zum schluss|schließlich|abschließend)(?!\p{L})[,:]?\s+/iu;
const FIRST_STEP_WORDS = /^(?:please |bitte )?(?:first|zuerst|zunächst|als erstes|erst)(?!\p{L})[,:]?\s+/iu;

/** Undefined: what the steps are is for a model to say. */
export function readMessagePlan(message: string): string | undefined {
	const text = message.trim();
	const plan = parseListedPlan(text) ?? inOneSentence(text);
	if (plan === undefined || plan.steps.length < LEAST_STEPS || plan.steps.length > MOST_PLAN_STEPS) {
		return undefined;
	}
	const { title, steps } = plan;
	return [
		`# ${cutText(title.replaceAll(/\s+/g, ' '), PLAN_TITLE_CHARS)}`,
		'',
		...steps.map((step, at) => `${at + 1}. ${step}`),
	].join('\n');
}

interface Plan {
	readonly title: string;
	readonly steps: readonly string[];
}

/** A line that says what it is about, and the list; with more to it, the list is not all. */
function parseListedPlan(text: string): Plan | undefined {
	const [head = '', ...lines] = text.split('\n').filter((line) => line.trim() !== '');
	const items = lines.map((line) => PLAN_ITEM.exec(line)?.[1]);
	const steps = items.filter((item) => item !== undefined);
	return PLAN_ITEM.test(head) || lines.length === 0 || steps.length !== lines.length
		? undefined
		: { title: head.replace(/:\s*$/, ''), steps };
}

function inOneSentence(text: string): Plan | undefined {
	if (text.length > MOST_PLAN_SENTENCE_CHARS || text.includes('\n')) {
		return undefined;
	}
	const steps = text
		.replace(FIRST_STEP_WORDS, '')
		.split(NEXT_STEP_WORDS)
		.map((step) => step.trim().replace(/[,;.]$/, ''));
	return steps.some((step) => step.length < LEAST_STEP_CHARS)
		? undefined
		: { title: text, steps: steps.map((step) => step.charAt(0).toUpperCase() + step.slice(1)) };
}
