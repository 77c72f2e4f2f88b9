// Three things that a reader of this course would miss in JupyterLab. It takes this file in as it does
// any extension that comes ready-made; there is nothing to build.
(window._JUPYTERLAB ??= {})["reader"] = (() => {
  let shared; // the parts of JupyterLab that extensions may use, each by name and version

  async function part(name) {
    const [first] = Object.values(shared[name]);
    return (await first.get())();
  }

  // A notebook keeps beside each picture a text that says what it shows (`plots.show(fig, alt=…)`).
  // JupyterLab draws the picture and drops the text, so that a screen reader has nothing to read out.
  function giveTexts(registry) {
    const pictures = registry.getFactory("image/png");
    const createRenderer = options => {
      const renderer = pictures.createRenderer(options);
      const render = renderer.render.bind(renderer);
      renderer.render = async model => {
        await render(model);
        renderer.node.querySelector("img").alt = model.metadata[options.mimeType]?.alt ?? "";
      };
      return renderer;
    };
    registry.addFactory({ ...pictures, createRenderer });
  }

  // In the window of nbgrader's Validate a test's sentence ran out of sight, and in a narrow window so
  // did the window and its button. What a cell prints broke off in the middle of a word.
  const STYLE = `
    .nbgrader-ErrorDialog .jp-Dialog-content { max-width: min(1000px, 96vw); }
    #validation-message pre { white-space: pre-wrap; overflow-wrap: anywhere; }
    .jp-OutputArea-output.jp-RenderedText pre { word-break: normal; overflow-wrap: anywhere; }
  `;

  async function extension() {
    const { IRenderMimeRegistry } = await part("@jupyterlab/rendermime");
    const activate = (app, registry) => {
      giveTexts(registry);
      document.head.append(Object.assign(document.createElement("style"), { textContent: STYLE }));
    };
    const plugin = { id: "reader:plugin", autoStart: true, requires: [IRenderMimeRegistry], activate };
    return () => ({ __esModule: true, default: plugin });
  }

  return { init: scope => { shared = scope; }, get: extension };
})();
