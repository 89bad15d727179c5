/**
 * Form of the inputs of a run, each a field with its own problem beside it. Text that was typed and not sent is
 * restored on the next page.
 */
import { isComposingKey } from '../parts/composing-key.ts';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { FormField, PageBlock } from '../../protocol/pages/capability-page.ts';
import { Icon } from '../parts/icon.tsx';
import { useText } from '../parts/text-actions.ts';
import { ListField, MAX_LIST_ROWS, readListEntries } from './list-field.tsx';
import type { Translate } from '../parts/translate.ts';

type Values = Readonly<Record<string, string>>;

export interface FormActions {
	/** Sends what was typed: sentences by the names of fields; undefined: it did not come to it, and the page says why. */
	submit(values: Values): Promise<Values | undefined>;
	/** Has the user pick what a field holds; undefined: the user did not. */
	pick(field: string): Promise<PickedValue | undefined>;
	/** For the next page. */
	keep(values: Values): void;
	/** Closes the page. */
	cancel(): void;
}

/** `choices`: what the field can be chosen from now. */
interface PickedValue {
	readonly value: string | null;
	readonly choices: readonly string[];
}

interface FormProps {
	readonly block: PageBlock & { readonly kind: 'form' };
	readonly actions: FormActions;
}

export function FormBlock({ block: { title, fields, button }, actions }: FormProps) {
	const { t } = useText();
	const [values, setValues] = useState<Values>(() =>
		Object.fromEntries(fields.map(({ name, value }) => [name, value])),
	);
	/** Also what was typed while an answer was waited for. */
	const latest = useRef(values);
	const [problems, setProblems] = useState<Values>({});
	/** All that were found, also in what has been typed anew since. */
	const [found, setFound] = useState<Values>({});
	/** Choices by field, for fields whose choices have changed since. */
	const [choices, setChoices] = useState<Readonly<Record<string, readonly string[]>>>({});
	const root = useRef<HTMLDivElement>(null);
	/** Where the focus was when the last answer was waited for. */
	const leftAt = useRef<Element | null>(null);
	/** A person who has gone on meanwhile is not called back. */
	const focusControl = (selector: string) => {
		if (isFocusLost() || document.activeElement === leftAt.current) {
			root.current?.querySelector<HTMLElement>(selector)?.focus();
		}
	};
	// Before anybody sees it, or its first letters would go astray.
	useLayoutEffect(() => {
		focusControl(FORM_CONTROL);
		// A tab that comes to the front again has lost where the keyboard was.
		const focusFirst = () => {
			if (isFocusLost()) focusControl(FORM_CONTROL);
		};
		window.addEventListener('focus', focusFirst);
		return () => window.removeEventListener('focus', focusFirst);
	}, []);
	// The problem is read out with the field that has it.
	useLayoutEffect(() => focusControl(`${FORM_CONTROL}[aria-invalid]`), [found]);

	const submitForm = async () => {
		leftAt.current = document.activeElement;
		const answer = await actions.submit(latest.current);
		if (answer !== undefined) {
			setProblems(answer);
			setFound(answer);
		}
	};
	const changeValue = (name: string, value: string) => {
		latest.current = { ...latest.current, [name]: value };
		setValues(latest.current);
		actions.keep(latest.current);
		setProblems((before) => Object.fromEntries(Object.entries(before).filter(([of]) => of !== name)));
	};
	const pickValue = async (name: string) => {
		leftAt.current = document.activeElement;
		const picked = await actions.pick(name);
		if (picked !== undefined && picked.choices.length > 0) {
			setChoices((before) => ({ ...before, [name]: picked.choices }));
		}
		if (typeof picked?.value === 'string') {
			changeValue(name, picked.value);
		}
		focusControl(`[name="${CSS.escape(name)}"]`);
	};
	return (
		<div
			class="page-section form"
			role="group"
			aria-label={title}
			ref={root}
			onKeyDown={(event) => {
				if (event.key === 'Enter' && isSending(event)) {
					event.preventDefault();
					void submitForm();
				}
			}}
		>
			{fields.map((field) => (
				<FormFieldRow
					key={field.name}
					field={{ ...field, choices: [...(choices[field.name] ?? field.choices ?? [])] }}
					value={values[field.name] ?? ''}
					problem={problems[field.name]}
					type={(value) => changeValue(field.name, value)}
					pick={() => void pickValue(field.name)}
				/>
			))}
			<div class="button-row">
				<button type="button" class="button page-action" onClick={() => void submitForm()}>
					<Icon name="play" /> {button}
				</button>
				<button type="button" class="button secondary page-action" onClick={() => actions.cancel()}>
					{t('Cancel')}
				</button>
			</div>
		</div>
	);
}

const FORM_CONTROL = '.form-control';

function isFocusLost(): boolean {
	return document.activeElement === null || document.activeElement === document.body;
}

/** In a field of several lines Enter begins another one, unless Ctrl or Cmd is held. */
function isSending(event: KeyboardEvent): boolean {
	const { target, ctrlKey, metaKey, shiftKey } = event;
	const isField = target instanceof HTMLElement && target.matches(FORM_CONTROL);
	const hasLines = target instanceof HTMLElement && target.matches('.form-lines');
	return isField && !isComposingKey(event) && (ctrlKey || metaKey || (!hasLines && !shiftKey));
}

interface FormFieldRowProps {
	readonly field: FormField;
	readonly value: string;
	readonly problem: string | undefined;
	type(value: string): void;
	pick(): void;
}

function FormFieldRow({ field, value, problem, type, pick }: FormFieldRowProps) {
	const { name, description, type: kind, isRequired, hint } = field;
	const { t } = useText();
	const id = useId();
	const isLine = kind === 'text' || kind === 'number' || kind === 'file';
	const notes = [
		...(description === '' ? [] : [{ id: `${id}-about`, class: 'page-note', text: description }]),
		...(problem === undefined ? [] : [{ id: `${id}-problem`, class: 'form-problem', text: problem }]),
	];
	const control = {
		id,
		name,
		value,
		...(problem === undefined ? {} : { 'aria-invalid': true }),
		...(notes.length === 0 ? {} : { 'aria-describedby': notes.map((note) => note.id).join(' ') }),
		'aria-required': isRequired,
	};
	return (
		<div class="form-field">
			<label id={`${id}-label`} for={id}>
				<bdi>{name}</bdi>
				{!isRequired && <span class="form-optional"> {t('optional')}</span>}
			</label>
			{kind === 'yesNo' || kind === 'choice' || kind === 'secret' ? (
				<select class="form-control" {...control} onChange={(event) => type(event.currentTarget.value)}>
					{(!isRequired || value === '') && <option value="">{isRequired ? t('Choose…') : t('Leave out')}</option>}
					{listFieldChoices(field, t).map(({ id, words }) => (
						<option key={id} value={id}>
							{words}
						</option>
					))}
				</select>
			) : kind === 'lines' && readListEntries(value).length <= MAX_LIST_ROWS ? (
				<ListField
					name={name}
					value={value}
					isNumbers={field.entries === 'number'}
					labelledBy={`${id}-label`}
					describedBy={control['aria-describedby']}
					isInvalid={problem !== undefined}
					isRequired={isRequired}
					type={type}
				/>
			) : (
				<textarea
					class={isLine ? 'form-control' : `form-control form-lines ${kind}`}
					rows={isLine ? 1 : 3}
					inputMode={kind === 'number' ? 'decimal' : undefined}
					spellcheck={false}
					placeholder={hint}
					{...control}
					onInput={(event) => type(event.currentTarget.value)}
				/>
			)}
			{(kind === 'file' || kind === 'secret') && (
				<button type="button" class="link-button form-pick" aria-describedby={`${id}-label`} onClick={pick}>
					<Icon name={kind === 'file' ? 'folder-opened' : 'key'} />{' '}
					{kind === 'file' ? t('Choose a file…') : t('Store a new secret…')}
				</button>
			)}
			{notes.map((note) => (
				<p key={note.id} id={note.id} class={note.class}>
					<bdi>{note.text}</bdi>
				</p>
			))}
		</div>
	);
}

function listFieldChoices({ type, choices = [] }: FormField, t: Translate): readonly { id: string; words: string }[] {
	return type === 'yesNo'
		? [
				{ id: 'true', words: t('Yes') },
				{ id: 'false', words: t('No') },
			]
		: choices.map((choice) => ({ id: choice, words: choice }));
}
