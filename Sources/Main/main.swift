import DeadzoneCommand

DeadzoneCommand.run()
