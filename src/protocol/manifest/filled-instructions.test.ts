import assert from 'node:assert/strict';
import { filledInstructions } from './filled-instructions.ts';

describe('Written instructions', () => {
	const filled = (text: string, params: unknown = {}) => filledInstructions(text, { folder: '/s/pdf', params });

	for (const [what, text, params, expected] of [
		['keep $1 where nothing was given', "awk '{print $1}'", {}, "awk '{print $1}'"],
		['keep $3 where two words were given', 'a $3 $1', { arguments: 'x y' }, 'a $3 x'],
		[
			'keep what only begins like a place',
			'$ARGUMENTSX $10 $1st',
			{ arguments: 'x' },
			'$ARGUMENTSX $10 $1st\n\nArguments: x',
		],
		['put nothing in the place of an argument that is missing', '[$ARGUMENTS] [$ARGUMENTS[4]]', {}, '[] []'],
		['name their folder', '{baseDir}/a ${CLAUDE_PLUGIN_ROOT}/b ${CLAUDE_SKILL_DIR}', {}, '/s/pdf/a /s/pdf/b /s/pdf'],
		['take words in quotation marks as one', '$1|$2|$ARGUMENTS[1]', { arguments: '"a b" c' }, 'a b|c|c'],
		['take a list as words', '$2 $ARGUMENTS', { arguments: ['a b', 'c'] }, 'c a b c'],
		['end with arguments that have no place', 'Do it.', { arguments: 'now' }, 'Do it.\n\nArguments: now'],
		['end with params of other names', 'Do it.', { file: 'a.pdf' }, 'Do it.\n\nParams: {"file":"a.pdf"}'],
		['put a given word in as it is, dollar signs too', '$1', { arguments: '$2 x' }, '$2'],
	] as const) {
		it(what, () => assert.equal(filled(text, params), expected));
	}

	it('name the folder of their plugin’s data where they are a part of one', () => {
		const text = '${CLAUDE_PLUGIN_DATA}/a ${PLUGIN_DATA}/b';
		assert.equal(filled(text), text);
		const ofPlugin = { folder: '/s/pdf', pluginFolder: '/s', pluginData: '/data/kit', params: {} };
		assert.equal(filledInstructions(text, ofPlugin), '/data/kit/a /data/kit/b');
	});
});
