/** Fast paths about capabilities: lists, shows, runs, enables and disables them. */
import { fenceCodeBlock } from '../../../base/text/fenced.ts';
import { type CapabilitySwitchWish, namesKind, switchWish } from '../../../protocol/thread/message/user-wishes.ts';
import { requestHostOp } from '../../host/request-op.ts';
import { detectLanguage, type FastPath, type Language } from '../fast-path.ts';
import { toWordSet } from '../../turn/plain-words.ts';
import { runJournaledOp, runSilentOp, writeAnswer } from '../run-op.ts';

const CAPABILITY_LIST_QUESTIONS = {
	en: /^(?:(?:which|what) (?:capabilities|skills) (?:are there|are installed|are available|do you have|can i use)|(?:list|show)(?: me)?(?: all)?(?: the| my| your)?(?: available| installed)? (?:capabilities|skills))$/,
	de: /^(?:welche (?:fähigkeiten|skills) (?:gibt es|hast du|haben sie|sind installiert)|(?:zeige?|liste)(?: mir)?(?: alle| die| deine)* (?:fähigkeiten|skills)(?: auf)?)$/,
};

export const capabilityListFastPath: FastPath<Language> = {
	name: 'capability-list',
	openings: toWordSet('which what list show welche zeige zeig liste'),
	match: (text) => detectLanguage(text, CAPABILITY_LIST_QUESTIONS),
	async run(language, turn, deps, signal) {
		const { capabilities, isComplete } = await runSilentOp('capability.list', {}, turn, deps, signal);
		if (capabilities.length === 0 || !isComplete) {
			throw new Error('the capabilities are not all known yet');
		}
		const lines = capabilities.map(({ type, name, description }) => `- \`${type}/${name}\`: ${description}`);
		const head = language === 'de' ? 'Diese Fähigkeiten gibt es:' : 'These capabilities are there:';
		writeAnswer(turn.journal, `${head}\n\n${lines.join('\n')}`);
	},
};

const SHOW_CAPABILITY_VERBS = {
	en: 'show(?: me)?|describe|what is|what does',
	de: 'zeige?(?: mir)?|beschreibe|was ist',
};

/** Shows the description, inputs and permissions of a capability. */
export const capabilityShowFastPath: FastPath<{ readonly language: Language; readonly name: string }> = {
	name: 'capability-show',
	openings: toWordSet('show describe what zeige zeig beschreibe was'),
	match: (text) => namedCapability(text, SHOW_CAPABILITY_VERBS),
	async run({ language, name }, turn, deps, signal) {
		const found = await runSilentOp('capability.detail', { name }, turn, deps, signal);
		const isGerman = language === 'de';
		const inputs = found.inputs.map(
			(input) =>
				`- \`${input.name}\` (${input.type})${input.description === undefined ? '' : `: ${input.description}`}`,
		);
		const head = `**${found.type}/${found.name}** ${found.version} (${found.source})\n\n${found.description}`;
		const rights = found.permissions.map((permission) => `\`${permission}\``).join(', ');
		const parts = [
			head,
			...(inputs.length === 0 ? [] : [`${isGerman ? 'Eingaben' : 'Inputs'}:\n\n${inputs.join('\n')}`]),
			...(rights === '' ? [] : [`${isGerman ? 'Rechte' : 'Permissions'}: ${rights}`]),
		];
		writeAnswer(turn.journal, parts.join('\n\n'));
	},
};

const RUN_CAPABILITY_VERBS = { en: 'run|start|use', de: 'starte|verwende|führe' };
const SLASH = /^\/((?:[a-z0-9-]+\/)?(?:[a-z0-9][a-z0-9.-]*:)?[\p{L}\p{N}][\p{L}\p{N}:-]*)$/u;

/**
 * Runs a capability that the prompt names exactly and that needs no input. A capability that is a text for
 * the agent, has tools or requires inputs is left to the model.
 */
export const capabilityRunFastPath: FastPath<{ readonly language: Language; readonly name: string }> = {
	name: 'capability-run',
	openings: toWordSet('run start use starte verwende führe /'),
	match(text) {
		const slash = SLASH.exec(text.trim())?.[1];
		// A command of ours, such as one that is sent as a message, is none.
		return slash === undefined || slash === 'compact'
			? namedCapability(text, RUN_CAPABILITY_VERBS)
			: { language: 'en', name: slash };
	},
	async run({ language, name }, turn, deps, signal) {
		const found = await runSilentOp('capability.detail', { name }, turn, deps, signal);
		if (found.body !== undefined || found.tools !== undefined || found.inputs.some(({ required }) => required)) {
			throw new Error(`${name} needs more than its name`);
		}
		const params = { name: found.name, type: found.type };
		const { result, text } = await runJournaledOp('capability.start', params, turn, deps, signal);
		const isGerman = language === 'de';
		const what = `\`${found.type}/${found.name}\``;
		if (result?.success !== true) {
			writeAnswer(
				turn.journal,
				`${what} ${isGerman ? 'ist nicht gelaufen' : 'did not complete'}.\n\n${fenceCodeBlock(text)}`,
			);
			return;
		}
		writeAnswer(turn.journal, `${what} ${isGerman ? 'ist fertig' : 'completed'}.\n\n${fenceCodeBlock(text)}`);
	},
};

/** A capability to be enabled or disabled. The host does it only where it has seen the user ask for it. */
export const capabilitySwitchFastPath: FastPath<CapabilitySwitchWish & { readonly isGerman: boolean }> = {
	name: 'capability-switch',
	openings: toWordSet('enable disable aktiviere deaktiviere'),
	match(text) {
		const wish = switchWish(text);
		return wish && { ...wish, isGerman: /^(?:aktiviere|deaktiviere)/i.test(text.trim()) };
	},
	async run({ isEnabled, type, name, isGerman }, turn, deps, signal) {
		const params = { name, isEnabled, ...(type === undefined ? {} : { type }) };
		const asker = { host: deps.host, threadId: turn.threadId, turnId: turn.turnId };
		const switched = await requestHostOp('capability.switch', params, asker, signal);
		signal.throwIfAborted();
		if (!switched.ok) {
			throw new Error(switched.text);
		}
		const what = `\`${switched.result.type}/${switched.result.name}\``;
		const done = isGerman
			? `${what} ist ${isEnabled ? 'aktiviert' : 'deaktiviert'}.`
			: `${what} is ${isEnabled ? 'enabled' : 'disabled'}.`;
		writeAnswer(turn.journal, done);
	},
};

interface CapabilityMention {
	readonly language: Language;
	readonly name: string;
}

/**
 * Recognizes a prompt that names one capability, by `type/name` or with a word for its type, so that the prompt cannot
 * mean anything else. `verbs` of each language, as parts of a pattern.
 */
function namedCapability(text: string, verbs: { readonly [L in Language]: string }): CapabilityMention | undefined {
	if (!namesKind(text)) {
		return undefined;
	}
	const findName = (language: Language) =>
		new RegExp(
			`^(?:${verbs[language]}) (?:the |my |die |den |das )?(?:capability |skill |power |talent |fähigkeit )[\`"]?((?:[a-z0-9-]+/)?(?:[a-z0-9][a-z0-9.-]*:)?[\\p{L}\\p{N}](?:[\\p{L}\\p{N}:-]*[\\p{L}\\p{N}])?)[\`"]?[.!?]?$`,
			'iu',
		).exec(text.trim())?.[1];
	const [en, de] = [findName('en'), findName('de')];
	return en !== undefined ? { language: 'en', name: en } : de !== undefined ? { language: 'de', name: de } : undefined;
}
