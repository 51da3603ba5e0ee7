import DeadzoneCommand
import DeadzoneKit

DeadzoneCommand.run(adding: [.of(Mine.self)])
