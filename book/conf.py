"""How Sphinx makes the pages. What its extensions leave to do is in `extension.py`."""

project = html_title = "Transformers from Scratch"
extensions = ["myst_nb", "book.extension"]

# What is shown is what was recorded.
nb_execution_mode = "off"

# Lessons are written in the Markdown of notebooks, which has formulas and lacks MyST's own signs.
myst_enable_extensions = ["dollarmath"]
myst_dmath_allow_labels = False
myst_disable_syntax = ["myst_line_comment", "myst_block_break", "myst_target", "myst_role"]
myst_heading_anchors = 3
smartquotes = False

html_theme = "furo"
html_theme_options = {
    "top_of_page_buttons": [],
    "light_css_variables": {"color-brand-primary": "#005f96", "color-brand-content": "#005f96"},
    "dark_css_variables": {"color-brand-primary": "#56b4e9", "color-brand-content": "#56b4e9"},
}
html_static_path = html_css_files = ["book.css"]
html_favicon = "icon.svg"
pygments_style, pygments_dark_style = "a11y-high-contrast-light", "a11y-high-contrast-dark"
# The notebooks are in the course; a copy of each beside its page would only make the site larger.
html_copy_source = html_show_sourcelink = False
html_use_index = html_show_copyright = False
# The lines around a word searched for would show formulas as TeX, and a page opened from disk cannot read them.
html_show_search_summary = False

mathjax_path = "mathjax/tex-chtml.js"
# Its menu would load more of MathJax than the extension copies.
mathjax3_config = {"options": {"enableMenu": False}}
