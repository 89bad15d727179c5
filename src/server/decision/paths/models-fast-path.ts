/** Which models there are, and which of them this thread uses; or another one for it. */
import { detectLanguage, type FastPath, type Language } from '../fast-path.ts';
import { toWordSet } from '../../turn/plain-words.ts';
import { writeAnswer } from '../run-op.ts';

const MODEL_LIST_QUESTIONS = {
	en: /^(?:(?:which|what) models (?:are there|are available|can i use|do i have)|(?:list|show)(?: me)?(?: all)?(?: the| my)?(?: available)? models)$/,
	de: /^(?:welche modelle (?:gibt es|habe ich|kann ich (?:nutzen|verwenden)|sind verfügbar)|(?:zeige?|liste)(?: mir)?(?: alle| die| meine)* modelle(?: auf)?)$/,
};
const MODEL_SWITCH_REQUEST = {
	en: /^(?:(?:switch|change)(?: the model)? to(?: the model)?|use the model) [`"]?([\w./:@-]+)[`"]?[.!]?$/i,
	de: /^(?:wechs(?:le|el) zum modell|(?:nutze|verwende|nimm) das modell) [`"]?([\w./:@-]+)[`"]?[.!]?$/i,
};

export const modelsFastPath: FastPath<{ readonly language: Language; readonly wanted?: string }> = {
	name: 'models',
	openings: toWordSet(
		'which what list show switch change use welche zeige zeig liste wechsle wechsel nutze verwende nimm',
	),
	match(text) {
		const language = detectLanguage(text, MODEL_LIST_QUESTIONS);
		const [en, de] = [MODEL_SWITCH_REQUEST.en.exec(text.trim())?.[1], MODEL_SWITCH_REQUEST.de.exec(text.trim())?.[1]];
		return language !== undefined
			? { language }
			: en !== undefined
				? { language: 'en', wanted: en }
				: de !== undefined
					? { language: 'de', wanted: de }
					: undefined;
	},
	async run({ language, wanted }, { journal, modelId }, ports, signal) {
		const list = await ports.models.list(signal);
		signal.throwIfAborted();
		const isGerman = language === 'de';
		if (wanted !== undefined) {
			const fits = list.models.filter(({ id }) => id === wanted || id.endsWith(`/${wanted}`));
			const [model] = fits;
			if (model === undefined || fits.length > 1) {
				throw new Error(`"${wanted}" names ${fits.length} models`);
			}
			journal.setModel(model.id);
			const done = isGerman ? `Dieser Thread nutzt jetzt \`${model.id}\`.` : `This thread now uses \`${model.id}\`.`;
			writeAnswer(journal, done);
			return;
		}
		const chosen = isGerman ? 'gewählt' : 'selected';
		const selected = modelId ?? list.selected;
		const lines = list.models.map(({ id, name }) => {
			const label = name === id ? `\`${id}\`` : `\`${id}\`: ${name}`;
			return `- ${label}${id === selected ? ` (${chosen})` : ''}`;
		});
		if (list.models.every(({ id }) => id !== selected)) {
			const unlisted = isGerman ? 'vom Anbieter nicht aufgeführt' : 'not listed by its provider';
			lines.push(`- \`${selected}\` (${chosen}, ${unlisted})`);
		}
		const problems = list.problems.map(
			({ provider, message }) =>
				`\n\n\`${provider}\` ${isGerman ? 'konnte nicht aufgelistet werden' : 'could not be listed'}: ${message}.`,
		);
		const head = isGerman ? 'Diese Modelle können verwendet werden:' : 'These models can be used:';
		writeAnswer(journal, `${head}\n\n${lines.join('\n')}${problems.join('')}`);
	},
};
