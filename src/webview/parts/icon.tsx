/** A codicon beside a text: decoration, so it is hidden from assistive technology. */
export function Icon({ name, spin = false }: { name: string; spin?: boolean }) {
	return <span class={`codicon codicon-${name}${spin ? ' codicon-modifier-spin' : ''}`} aria-hidden="true" />;
}
